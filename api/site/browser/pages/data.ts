/** The market as tables and files: what they have, what each load changed, and the lines with which engines read them. */
import '../shell.ts';
import '../tool.ts';
import '../elements/code-samples.ts';
import '../elements/data-findings.ts';
import '../elements/file-check.ts';
import '../elements/table-detail.ts';
import { customElement, state } from 'lit/decorators.js';
import connections from '../../connections.json' with { type: 'json' };
import { fromAddress, toAddress } from '../address.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { saveAnswer } from '../download.ts';
import { type Column, codeColumn, numberColumn, rowButton, textColumn } from '../elements/data-table.ts';
import { pageHead } from '../head.ts';
import { Attempt, Load } from '../load.ts';
import type { Sample } from '../samples.ts';
import { get, signedInAs } from '../session.ts';
import { accountNeeded } from '../states.ts';
import { compact, day, fileSize, localTime, number, textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { MarketFiles, MarketTables } from '../types.ts';

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

type TableSize = MarketTables['tables'][number];

const FIRST = 'market.daily_bars';

@customElement('data-page')
export class DataPage extends SiteElement {
  @state() chosen = fromAddress('table') ?? FIRST;
  private readonly tables = new Load(this, () => get<MarketTables>('/v1/tables'));

  private readonly choose = ({ detail: { name } }: CustomEvent<TableSize>) => {
    this.chosen = name;
    toAddress({ table: name === FIRST ? null : name }, false);
  };

  override render() {
    const actions = html`<a class="button" href="/sql">${t('data.sql')}</a>`;
    return html`${pageHead(t('page.data'), { about: t('data.about'), actions })}
      ${this.tables.render((tables) => this.content(tables))}
      ${this.tables.result.state === 'loading' ? nothing : html`${this.files()}${signedInAs() === 'admin' ? this.keeping() : nothing}`}`;
  }

  /** Below the tables, which would move it when they come. */
  private files() {
    return html`<section>
      <h2>${t('files.title')}</h2>
      ${signedInAs() === null ? accountNeeded(() => this.requestUpdate()) : html`<market-files></market-files>`}
    </section>`;
  }

  /** For administrators. */
  private keeping() {
    return html`<section><h2>${t('findings.title')}</h2><data-findings></data-findings></section>
      <section><h2>${t('check.title')}</h2><file-check></file-check></section>`;
  }

  private content({ catalog, tables, views }: MarketTables) {
    const sum = (figure: 'rows' | 'bytes' | 'snapshots') => tables.reduce((total, one) => total + one[figure], 0);
    const changed = tables.map(({ committed_at: at }) => at).reduce((a, b) => (a > b ? a : b));
    return html`<dl class="figures">
        <div><dt>${t('data.tables')}</dt><dd>${number(tables.length)}<small>${t('data.views', { count: views.length })}</small></dd></div>
        <div><dt>${t('data.rows')}</dt><dd>${compact(sum('rows'))}<small>${t('data.in_all')}</small></dd></div>
        <div><dt>${t('data.size')}</dt><dd>${fileSize(sum('bytes'))}<small>${t('data.format')}</small></dd></div>
        <div><dt>${t('data.snapshots')}</dt><dd>${number(sum('snapshots'))}<small>${t('data.changed_at', { at: localTime(changed) })}</small></dd></div>
      </dl>
      <data-table
        class="market-tables"
        .columns=${COLUMNS}
        .rows=${tables}
        .current=${tables.find(({ name }) => name === this.chosen) ?? null}
        caption=${t('data.tables')}
        @choose=${this.choose}
      ></data-table>
      <table-detail .name=${this.chosen}></table-detail>
      <section class="connect">
        <h2>${t('data.connect')}</h2>
        <p class="muted">${t('data.connect.text')} <a href="/account">${t('keys.create')}</a></p>
        <dl class="facts">
          <dt>${t('data.catalog')}</dt><dd><code>${catalog}</code></dd>
          <dt>${t('data.view')}</dt><dd>${views.map((name) => html`<code>${name}</code> `)}${t('data.view.text')}</dd>
        </dl>
        <code-samples topic="engine" .samples=${SAMPLES}></code-samples>
      </section>`;
  }
}

const COLUMNS: readonly Column<TableSize>[] = [
  codeColumn('name', t('data.table'), ({ name }) => name),
  { key: 'holds', title: t('data.holds'), cell: ({ name }) => textOr(`data.holds.${name.split('.')[1]}`, '') },
  numberColumn('rows', t('data.rows'), ({ rows }) => rows),
  numberColumn('bytes', t('data.size'), ({ bytes }) => bytes, fileSize),
  { ...numberColumn<TableSize, number>('files', t('data.files'), ({ files }) => files), isMinor: true },
  numberColumn('snapshots', t('data.snapshots'), ({ snapshots }) => snapshots),
  textColumn('changed', t('data.changed'), ({ committed_at }) => committed_at, localTime),
];

/** How the programs of the engines name the address of the service. */
const ADDRESS = /os\.environ\["MARKET_DATA_URL"\]|process\.env\.MARKET_DATA_URL/g;

const SAMPLES = connections.map(
  ({ title, lines }): Sample => [title, lines.replaceAll(ADDRESS, `"${location.origin}"`)],
);
