/** SQL over the market: an editor beside the views, examples, and the result as a table, a chart, or a file. */

import { customElement, state } from 'lit/decorators.js';
import { followAddress, fromAddress, toAddress } from '../address.ts';
import { ApiError } from '../api.ts';
import { find, html, nothing, SiteElement } from '../dom.ts';
import { saveAnswer } from '../download.ts';
import { SqlEditor } from '../elements/sql-editor.ts';
import { EXAMPLE_SYMBOLS } from '../examples.ts';
import { pageHead } from '../head.ts';
import { AbortScope, Attempt } from '../load.ts';
import { runJob } from '../run/call.ts';
import { SQL_SCHEMA, type SqlView } from '../sql-completion.ts';
import { failure, LOADING, type Loaded, loading, settle } from '../states.ts';
import { day, number } from '../text.ts';
import { t } from '../tool-text.ts';
import type { QueryResult } from '../types.ts';
import '../shell.ts';
import '../tool.ts';
import '../elements/query-chart.ts';
import '../elements/query-table.ts';

interface Example {
  readonly title: 'sql.example.traded' | 'sql.example.oversold' | 'sql.example.average' | 'sql.example.months';
  readonly query: string;
}

const MARKET_EXAMPLES: readonly Example[] = [
  {
    title: 'sql.example.traded',
    query: `select symbol, round(avg(close * volume)) as traded
from bars
where venue_mode = 'consolidated' and date >= (select max(date) - 90 from bars where venue_mode = 'consolidated')
group by symbol
order by traded desc
limit 20`,
  },
  {
    title: 'sql.example.oversold',
    query: `select date, count(*) filter (where rsi_14 < 30) as oversold, count(rsi_14) as of_all
from screener_daily
where date >= (select max(date) - 365 from screener_daily)
group by date
order by date`,
  },
];

const symbolExamples = (symbol: string): readonly Example[] => [
  {
    title: 'sql.example.average',
    query: `select date, close, avg(close) over (order by date rows 49 preceding) as sma_50
from bars_adjusted
where symbol = '${symbol}' and venue_mode = 'consolidated'
order by date`,
  },
  {
    title: 'sql.example.months',
    query: `select date_trunc('month', date) as month, last(close order by date) / first(open order by date) - 1 as change
from bars_adjusted
where symbol = '${symbol}' and venue_mode = 'consolidated'
group by month
order by month`,
  },
];

const EXAMPLES = [...MARKET_EXAMPLES, ...EXAMPLE_SYMBOLS.slice(0, 1).flatMap(symbolExamples)];

const LIMIT = 1_000;

const linkTo = (query: string) => `/sql?query=${encodeURIComponent(query)}`;

@customElement('sql-page')
export class SqlPage extends SiteElement {
  @state() query: string = EXAMPLES[0].query;
  /** The query that `result` answers: its reader may have changed the text since. */
  @state() asked = '';
  @state() result: Loaded<QueryResult> | null = null;
  private readonly saving = new Attempt(this);
  private readonly work = new AbortScope(this);

  constructor() {
    super();
    followAddress(this, () => this.begin());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.begin();
  }

  private begin(): void {
    const given = fromAddress('query');
    if (given === null) return;
    this.query = given;
    this.run();
  }

  private readonly run = async (): Promise<void> => {
    const signal = this.work.next();
    const { query } = this;
    this.asked = query;
    this.result = LOADING;
    this.saving.clear();
    try {
      const result = await settle(runJob<QueryResult>('/v1/sql', { query, limit: LIMIT }, signal));
      if (!signal.aborted) this.result = result;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };

  private readonly submitted = (event: Event) => {
    event.preventDefault();
    toAddress({ query: this.query });
    this.run();
  };

  private readonly changeQuery = ({ detail }: CustomEvent<string>) => {
    this.query = detail;
  };

  private readonly insert = ({ detail }: CustomEvent<string>) => {
    find(this, 'sql-editor', SqlEditor).insert(detail);
  };

  private async save(format: 'csv' | 'parquet'): Promise<void> {
    const body = { query: this.asked, limit: 100_000, format };
    await this.saving.make(() => saveAnswer('POST', '/v1/sql', { body }));
  }

  override render() {
    return html`${pageHead(t('page.sql'))}
      <p class="muted">${t('sql.lead')} <a href="/data">${t('sql.files')}</a></p>
      <div class="sql-desk">
        <div>
          <form @submit=${this.submitted}>
            <sql-editor .value=${this.query} @query=${this.changeQuery} @run=${this.submitted}></sql-editor>
            <div class="row"><button class="primary">${t('sql.run')}</button><span class="muted small">${t('sql.keys')}</span></div>
          </form>
          <h2>${t('sql.examples')}</h2>
          <ul class="examples">
            ${EXAMPLES.map(({ title, query }) => html`<li><a href=${linkTo(query)}>${t(title)}</a></li>`)}
          </ul>
          <section aria-live="polite">${this.answer()}</section>
        </div>
        <sql-views @name=${this.insert}></sql-views>
      </div>`;
  }

  private answer() {
    const { result } = this;
    if (result === null) return nothing;
    if (result.state === 'loading') return loading();
    if (result.state === 'failed') {
      const { error } = result;
      return error instanceof ApiError && error.key.startsWith('error.sql_') ? wrong(error) : failure(error, this.run);
    }
    const { rows, truncated, elapsed_ms: ms, as_of: asOf } = result.value;
    const rowsText = t('sql.rows', { rows: rows.length, seconds: number(ms / 1000), date: day(asOf) });
    return html`<h2>${rowsText}</h2>
      ${truncated ? html`<p class="notice warning">${t('sql.truncated', { rows: rows.length })}</p>` : nothing}
      <div class="row">
        <button @click=${() => this.save('csv')}>${t('symbol.csv')}</button>
        <button @click=${() => this.save('parquet')}>${t('sql.parquet')}</button>
      </div>
      ${this.saving.failure()}
      <query-chart .result=${result.value}></query-chart>
      <query-table .result=${result.value}></query-table>`;
  }
}

/** An error in the query, for which a retry is no help. DuckDB marks its position on extra lines. */
function wrong({ message }: ApiError) {
  return html`<section class="state" role="alert">
    <h2>${t('sql.failed')}</h2>
    <p class="problem">${message}</p>
  </section>`;
}

/** Views that have several venue bases: their first rows are those of one. */
const OF_A_BASIS = ['bars', 'bars_adjusted', 'sessions'];

const firstRows = (view: string) =>
  `from ${view}${OF_A_BASIS.includes(view) ? ` where venue_mode = 'consolidated'` : ''} limit 20`;

/** The views of SQL with their columns, beside the editor. Fires `name` with a column or a view that is clicked. */
@customElement('sql-views')
export class SqlViews extends SiteElement {
  private emit(name: string): void {
    this.dispatchEvent(new CustomEvent('name', { detail: name }));
  }

  override render() {
    return html`<h2>${t('sql.schema')}</h2>${SQL_SCHEMA.map((view) => this.view(view))}`;
  }

  private view({ name, columns }: SqlView) {
    const insert = (one: string) => () => this.emit(one);
    return html`<details name="sql-view" ?open=${name === SQL_SCHEMA[0].name}>
      <summary><code>${name}</code></summary>
      <p class="small"><a href=${`/sql?query=${encodeURIComponent(firstRows(name))}`}>${t('sql.views', { view: name })}</a></p>
      <ul>${Object.entries(columns).map(([column, type]) => html`<li><button class="quiet" @click=${insert(column)} aria-label=${t('sql.insert', { name: column })}><code>${column}</code></button><span class="muted small">${t(`sql.type.${type}`)}</span></li>`)}</ul>
    </details>`;
  }
}
