/** The market as files: what there is, and the lines with which engines read it. */
import './code-samples.ts';
import { customElement } from 'lit/decorators.js';
import { html, SiteElement } from '../dom.ts';
import { saveAnswer } from '../download.ts';
import { Attempt, Load } from '../load.ts';
import { get } from '../session.ts';
import { day, fileSize, localTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { MarketFiles } from '../types.ts';
import { type Column, codeColumn, numberColumn, rowButton } from './data-table.ts';

type MarketFile = MarketFiles['files'][number];

@customElement('market-files')
export class MarketFilesList extends SiteElement {
  private readonly download = new Attempt(this);
  private readonly files = new Load(this, () => get<MarketFiles>('/v1/files'));

  override render() {
    return this.files.render((files) => this.content(files));
  }

  private content({ newest_session: newest, written_at: written, bytes, files }: MarketFiles) {
    const about = { count: files.length, size: fileSize(bytes), session: day(newest), at: localTime(written) };
    return html`<p class="muted">${t('files.about', about)}</p>
      ${this.download.failure()}
      <data-table class="files-table" .columns=${this.columns()} .rows=${files} caption=${t('files.title')}></data-table>
      <code-samples topic="files" .samples=${samplesOf(newest.slice(0, 4))}></code-samples>`;
  }

  private downloadButton({ path }: MarketFile) {
    const save = () => this.download.make(() => saveAnswer('GET', `/v1/files/${path}`));
    return rowButton(t('exports.download'), t('files.download.one', { path }), save);
  }

  private columns(): Column<MarketFile>[] {
    return [
      codeColumn('path', t('files.path'), ({ path }) => path),
      numberColumn('rows', t('data.rows'), ({ rows }) => rows),
      numberColumn('bytes', t('data.size'), ({ bytes }) => bytes, fileSize),
      {
        key: 'sha256',
        title: 'SHA-256',
        cell: ({ sha256 }) => html`<code title=${sha256}>${sha256.slice(0, 12)}…</code>`,
      },
      { key: 'download', title: t('exports.download'), cell: (file) => this.downloadButton(file) },
    ];
  }
}

/** A file, and the average volume of each symbol in it. Engines read the tables. */
function samplesOf(year: string): readonly (readonly [string, string])[] {
  const path = `daily_bars/venue_mode=consolidated/year=${year}/part-0.parquet`;
  const file = `${location.origin}/v1/files/${path}`;
  return [
    ['curl', `curl -H "X-API-Key: $KEY" -C - --create-dirs -o ${path} \\\n  ${file}`],
    [
      'DuckDB',
      `create secret (type http, extra_http_headers map {'X-API-Key': 'md_…'});\nselect symbol, avg(volume)\nfrom read_parquet('${file}')\ngroup by symbol;`,
    ],
  ];
}
