/** The market as tables and files: what they have, what each load changed, and the lines with which engines read them. */
import '../shell.ts';
import '../tool.ts';
import '../elements/code-samples.ts';
import '../elements/data-findings.ts';
import '../elements/file-check.ts';
import '../elements/market-files.ts';
import '../elements/table-detail.ts';
import { customElement, state } from 'lit/decorators.js';
import connections from '../../connections.json' with { type: 'json' };
import { fromAddress, toAddress } from '../address.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { type Column, codeColumn, numberColumn, textColumn } from '../elements/data-table.ts';
import { pageHead } from '../head.ts';
import { Load } from '../load.ts';
import type { Sample } from '../samples.ts';
import { get, signedInAs } from '../session.ts';
import { accountNeeded } from '../states.ts';
import { compact, fileSize, localTime, number, textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { MarketTables } from '../types.ts';

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
