/** The market as files: what there is, and the lines with which engines read it. */
import './code-samples.ts';
import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { SiteElement } from '../dom.ts';
import { saveBlob } from '../download.ts';
import { Load } from '../load.ts';
import { get, sendAsReader } from '../session.ts';
import { inlineFailure } from '../states.ts';
import { day, fileSize, localTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { MarketFiles } from '../types.ts';
import { type Column, numberColumn } from './data-table.ts';

type MarketFile = MarketFiles['files'][number];

@customElement('market-files')
export class MarketFilesList extends SiteElement {
  /** The error of the last download. */
  @state() failed: unknown = null;
  private readonly files = new Load(this, () => get<MarketFiles>('/v1/files'));

  private async download({ path }: MarketFile): Promise<void> {
    this.failed = null;
    try {
      await saveBlob(await sendAsReader('GET', `/v1/files/${path}`));
    } catch (error) {
      this.failed = error;
    }
  }

  override render() {
    return this.files.render((files) => this.content(files));
  }

  private content({ newest_session: newest, written_at: written, bytes, files }: MarketFiles) {
    const about = { count: files.length, size: fileSize(bytes), session: day(newest), at: localTime(written) };
    return html`<p class="muted">${t('files.about', about)}</p>
      ${inlineFailure(this.failed)}
      <data-table class="files-table" .columns=${this.columns()} .rows=${files} caption=${t('files.title')}></data-table>
      <code-samples topic="files" .samples=${samplesOf(newest.slice(0, 4))}></code-samples>`;
  }

  private columns(): Column<MarketFile>[] {
    return [
      {
        key: 'path',
        title: t('files.path'),
        value: ({ path }) => path,
        cell: ({ path }) => html`<code>${path}</code>`,
      },
      numberColumn('rows', t('data.rows'), ({ rows }) => rows),
      numberColumn('bytes', t('data.size'), ({ bytes }) => bytes, fileSize),
      {
        key: 'sha256',
        title: 'SHA-256',
        cell: ({ sha256 }) => html`<code title=${sha256}>${sha256.slice(0, 12)}…</code>`,
      },
      {
        key: 'download',
        title: t('files.download'),
        cell: (file) =>
          html`<button class="quiet" aria-label=${t('files.download.one', { path: file.path })} @click=${() => this.download(file)}>${t('files.download')}</button>`,
      },
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
