/** A column: what rules make of it, its coverage by year, its versions, and its rows. Fires `deleted`. */
import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { paging } from '../controls.ts';
import { fieldsOf, html, nothing, SiteElement, textIn } from '../dom.ts';
import { Attempt, Load } from '../load.ts';
import { memberRule } from '../member-rule.ts';
import { Plot } from '../plot.ts';
import { get, remove } from '../session.ts';
import { failure } from '../states.ts';
import { compact, day, listed, localTime, number, percent, UNDEFINED, wordSpace } from '../text.ts';
import { t } from '../tool-text.ts';
import type { ColumnDetail, ColumnRows } from '../types.ts';
import { ask } from './ask.ts';
import { type Column, numberColumn, textColumn } from './data-table.ts';
import './symbol-search.ts';

const ONE_COLUMN = '/v1/my/columns/{name}';
const ROWS = 50;
const SHOWN_LABELS = 12;
/** Units of the SVG, which is stretched to the width of its container. */
const YEAR_WIDTH = 10;
const HEIGHT = 100;

type Coverage = ColumnDetail['coverage'][number];
type Version = ColumnDetail['versions'][number];
type Row = ColumnRows['items'][number];

@customElement('column-detail')
export class ColumnDetailElement extends SiteElement {
  @property() name!: string;
  /** Another one reads the column again. */
  @property({ type: Number }) version = 0;
  @state() symbol = '';
  @state() page = 1;
  private readonly column = new Load(this, () => get<ColumnDetail>(path(ONE_COLUMN, { name: this.name })), {
    of: () => `${this.name} ${this.version}`,
  });
  private readonly rows = new Load(this, () => this.readRows(), {
    of: () => this.column.value && `${this.name} ${this.version} ${this.symbol} ${this.page}`,
  });
  private readonly deleting = new Attempt(this);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('name')) [this.symbol, this.page] = ['', 1];
  }

  private async readRows(): Promise<ColumnRows | null> {
    const { name, symbol, page } = this;
    if (symbol === '' && !this.column.value?.market) return null;
    return get<ColumnRows>(path(`${ONE_COLUMN}/rows`, { name }), { query: { symbol, page, size: ROWS } });
  }

  private readonly drop = async () => {
    const { name } = this;
    const text = t('columns.delete.sure', { name });
    if (!(await ask({ text, title: t('columns.delete'), action: t('word.delete') }))) return;
    if (await this.deleting.make(() => remove(path(ONE_COLUMN, { name })))) this.dispatchEvent(new Event('deleted'));
  };

  private readonly showRows = (event: SubmitEvent) => {
    event.preventDefault();
    [this.symbol, this.page] = [textIn(fieldsOf(event), 'symbol').toUpperCase(), 1];
  };

  override render() {
    return this.column.render((column) => this.content(column));
  }

  private content(column: ColumnDetail) {
    const { name, market, owner, versions, labels } = column;
    return html`<section aria-label=${name}>
      <h2 class="row spread"><code>${name}</code>
        ${owner === 'account' ? html`<button type="button" @click=${this.drop}>${t('columns.delete')}</button>` : nothing}</h2>
      ${this.deleting.failure()}
      <p class="muted">${[...facts(column), lateText(column)].join(wordSpace)}</p>
      ${labels.length === 0 ? nothing : html`<p class="small">${t('columns.labels')} ${listed([...labels.slice(0, SHOWN_LABELS), ...(labels.length > SHOWN_LABELS ? ['…'] : [])])}</p>`}
      ${trial(column)} ${coverage(column)}
      <h3>${t('columns.rows_of')}</h3>
      ${market ? nothing : html`<form class="row one-line" @submit=${this.showRows}><symbol-search name="symbol" .value=${this.symbol} label=${t('form.symbol')}></symbol-search><button>${t('columns.show')}</button></form>`}
      ${this.rows.result.state === 'failed' ? failure(this.rows.result.error, this.rows.reload) : this.rowTable(column)}
      <h3>${t('columns.versions')}</h3>
      <data-table .columns=${VERSION_COLUMNS} .rows=${versions} caption=${t('columns.versions')}></data-table>
    </section>`;
  }

  private rowTable({ market }: ColumnDetail) {
    const { value } = this.rows;
    if (value === null) return market ? nothing : html`<p class="muted small">${t('columns.rows_of.hint')}</p>`;
    const goTo = (page: number) => {
      this.page = page;
    };
    return html`<data-table .columns=${ROW_COLUMNS} .rows=${value.items} caption=${t('columns.rows_of')} .empty=${html`<p class="state">${t('columns.rows_of.none')}</p>`}></data-table>${paging(value, goTo)}`;
  }
}

function facts({
  rows,
  symbols,
  first_day: first,
  last_day: last,
  market,
  lag,
  unit,
  source,
  license,
  stale_after: stale,
}: ColumnDetail): string[] {
  const told = listed([source, license].filter((text) => text !== null));
  return [
    market ? t('columns.fact.market', { rows }) : t('columns.fact', { rows, count: symbols }),
    first === null || last === null ? '' : t('columns.fact.range', { first: day(first), last: day(last) }),
    unit === null ? '' : t('columns.fact.unit', { unit }),
    lag === 0 ? t('columns.fact.at_once') : t('columns.fact.lag', { lag }),
    stale === null ? '' : t('columns.fact.stale', { count: stale }),
    told === '' ? '' : t('columns.fact.source', { source: told }),
  ].filter((text) => text !== '');
}

function lateText({ known_late_share: share }: ColumnDetail): string {
  if (share === null) return '';
  return share === 0 ? t('columns.late.none') : t('columns.late', { share: percent(100 * share, 1) });
}

/** A rule with the column, as a screen and as the universe of a rotation. */
function trial({ name, kind, labels, market, lag, unit }: ColumnDetail) {
  const [label] = labels.filter((text) => !/['"]/.test(text));
  if (kind === 'label' && label === undefined) return nothing;
  // Membership is known on its date.
  const isMembership = kind === 'label' || (lag === 0 && !market);
  const rule = isMembership ? memberRule(name, label) : `my('${name}') > 0`;
  const link = (page: string, query: Readonly<Record<string, string>>) => `${page}?${new URLSearchParams(query)}`;
  const rotation = html`<a class="button" href=${link('/portfolio', { kind: 'rotation', where: rule })}>${t('columns.try.rotation')}</a>`;
  const rate = html`<a class="button" href=${link('/backtest', { risk_free: name })}>${t('columns.try.rate')}</a>`;
  return html`<p class="row"><span>${t('columns.try')} <code>${rule}</code></span>
    <a class="button" href=${link('/screener', { where: rule })}>${t('columns.try.screen')}</a>
    ${market ? (unit === 'percent_per_year' ? rate : nothing) : rotation}</p>`;
}

/** Rows by year; years without any are gaps. */
function coverage({ coverage: known, name }: ColumnDetail) {
  const [first] = known;
  const last = known.at(-1);
  if (!first || !last) return nothing;
  const years = Array.from({ length: last.year - first.year + 1 }, (_, i) => {
    const year = first.year + i;
    return known.find((one) => one.year === year) ?? { year, rows: 0, symbols: 0 };
  });
  const rows = years.map((one) => one.rows);
  const box = { width: years.length * YEAR_WIDTH, height: HEIGHT };
  const plot = new Plot(box, { x: [0, years.length], y: [0, 1, ...rows] });
  const titleOf = (i: number) =>
    t('columns.coverage.year', { ...years[i], year: String(years[i].year), count: years[i].symbols });
  const highest = Math.max(...rows);
  return html`<h3>${t('columns.coverage')}</h3>
    <figure class="day-bars" role="figure" aria-label=${t('columns.coverage.label', { name, first: String(first.year), last: String(last.year) })}>
      <p class="chart-line" aria-hidden="true"><span>${t('columns.coverage.highest', { highest: compact(highest) })}</span></p>
      <svg viewBox="0 0 ${box.width} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${plot.bars(rows, { gap: 2, least: 2, titleOf })}</svg>
      <figcaption class="row spread small muted"><span>${String(first.year)}</span><span>${String(last.year)}</span></figcaption>
    </figure>
    <details><summary>${t('chart.table')}</summary><data-table .columns=${YEAR_COLUMNS} .rows=${years} caption=${t('columns.coverage')}></data-table></details>`;
}

const YEAR_COLUMNS: readonly Column<Coverage>[] = [
  { key: 'year', title: t('columns.year'), value: ({ year }) => year, cell: ({ year }) => String(year) },
  numberColumn('rows', t('columns.rows'), ({ rows }) => rows),
  numberColumn('symbols', t('columns.symbols.count'), ({ symbols }) => symbols),
];

const VERSION_COLUMNS: readonly Column<Version>[] = [
  numberColumn('version', t('columns.version'), ({ version }) => version),
  numberColumn('rows', t('columns.rows'), ({ rows }) => rows),
  textColumn('at', t('columns.loaded_at'), ({ loaded_at: at }) => at, localTime),
  {
    key: 'sha256',
    title: 'SHA-256',
    isMinor: true,
    cell: ({ sha256 }) => html`<code title=${sha256}>${sha256.slice(0, 12)}…</code>`,
  },
];

const ROW_COLUMNS: readonly Column<Row>[] = [
  { key: 'date', title: t('word.date'), value: ({ date }) => date },
  { key: 'known', title: t('columns.known_at'), value: (row) => row.known_at },
  { key: 'seen', title: t('columns.seen'), value: ({ seen }) => seen },
  {
    key: 'value',
    title: t('columns.value'),
    isNumber: true,
    value: ({ value }) => value,
    cell: ({ value }) =>
      value === null ? t('columns.ends') : typeof value === 'number' ? number(value, 6) : value || UNDEFINED,
  },
];
