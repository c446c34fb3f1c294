/** The differences that a comparison lists: filters, a table, pages, and the file with all of them. */

import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { paging } from '../controls.ts';
import { fieldsOf, html, nothing, SiteElement } from '../dom.ts';
import { saveAnswer } from '../download.ts';
import { type Column, numberColumn } from '../elements/data-table.ts';
import { codeFilter, type Filter, filterField } from '../elements/filtered-list.ts';
import { get } from '../session.ts';
import { LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { fileSize, number, price } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BarDifference, Comparison, Listed } from '../types.ts';
import { Action } from './action.ts';

const COMPARISONS = '/api/admin/data/comparisons';
const KINDS = ['differs', 'only_here', 'only_there'] as const;
const PRICES = ['open', 'high', 'low', 'close'] as const;
const PRICE_WORDS = {
  open: 'word.open',
  high: 'word.high',
  low: 'word.low',
  close: 'word.close_price',
} as const;
const FILTERS: readonly Filter[] = [
  codeFilter('kind', t('event.kind'), KINDS, (kind) => t(`comparisons.${kind}`)),
  { name: 'symbol', label: t('comparisons.symbol'), type: 'search' },
];
const SIZE = 20;

type Done = Comparison & { readonly result: NonNullable<Comparison['result']> };

@customElement('ops-differences')
export class DifferenceTable extends SiteElement {
  @property({ attribute: false }) comparison!: Done;
  private readonly action = new Action(this);
  @state() list: Loaded<Listed<BarDifference>> = LOADING;
  private filters: Readonly<Record<string, string>> = {};
  private page = 1;
  /** The id of the comparison that is listed. */
  private listed: number | null = null;

  protected override willUpdate(): void {
    const { id } = this.comparison;
    if (id === this.listed) return;
    this.listed = id;
    this.filters = {};
    this.page = 1;
    void this.load();
  }

  private readonly load = async (): Promise<void> => {
    const { comparison, filters, page } = this;
    const query = { ...filters, page, size: SIZE };
    const address = path(`${COMPARISONS}/{id}/differences`, { id: comparison.id });
    const list = await settle(get<Listed<BarDifference>>(address, { query }));
    const isCurrent = comparison.id === this.comparison.id && filters === this.filters && page === this.page;
    if (isCurrent) this.list = list;
  };

  private readonly filter = (event: Event) => {
    event.preventDefault();
    const given = [...fieldsOf(event)].map(([name, value]) => [name, String(value).trim()] as const);
    const filters = Object.fromEntries(given.filter(([, value]) => value !== ''));
    // Enter in a changed field is both a change and a submission.
    if (FILTERS.every(({ name }) => filters[name] === this.filters[name]) && this.page === 1) return;
    this.filters = filters;
    this.page = 1;
    void this.load();
  };

  private readonly goTo = (page: number) => {
    this.page = page;
    void this.load();
  };

  private readonly download = () =>
    this.action.run('', () => saveAnswer('GET', path(`${COMPARISONS}/{id}/download`, { id: this.comparison.id })));

  override render() {
    const { differences, bytes: size } = this.comparison.result;
    const all = differences.differs + differences.only_here + differences.only_there;
    if (all === 0) return html`<p>${t('comparisons.agree')}</p>`;
    return html`<h3>${t('comparisons.differences')}</h3>
      ${this.form()}${whenLoaded(this.list, this.load, (list) => this.table(list))}${this.incomplete(all)}
      <p><button ?disabled=${this.action.isBusy} @click=${this.download}>${t('comparisons.download', { size: fileSize(size) })}</button></p>
      ${this.action.feedback()}`;
  }

  private form() {
    return html`<form class="fields" role="search" @submit=${this.filter} @change=${this.filter}>
      ${FILTERS.map((filter) => filterField(filter, this.filters[filter.name] ?? ''))}
    </form>`;
  }

  private table(list: Listed<BarDifference>) {
    const empty = html`<p class="muted">${t('comparisons.no_match')}</p>`;
    return html`<data-table .columns=${COLUMNS} .rows=${list.items} .caption=${t('comparisons.differences')} .empty=${empty}></data-table>
      ${paging(list, this.goTo)}`;
  }

  /** Says that the list is incomplete, unless a filter shortens it. */
  private incomplete(all: number) {
    const { list, filters } = this;
    if (list.state !== 'loaded' || list.value.total >= all || Object.keys(filters).length > 0) return nothing;
    return html`<p class="muted small">${t('comparisons.part', { listed: list.value.total, all })}</p>`;
  }
}

/** The price that differs most. */
function worst({ here, there }: BarDifference): (typeof PRICES)[number] {
  const distance = (name: (typeof PRICES)[number]) => Math.abs((there?.[name] ?? 0) / (here?.[name] ?? 1) - 1);
  return PRICES.reduce((a, b) => (distance(b) > distance(a) ? b : a), 'close');
}

const threeDigits = (value: number | null) => number(value, 3);

const COLUMNS: readonly Column<BarDifference>[] = [
  {
    key: 'symbol',
    title: t('comparisons.symbol'),
    cell: ({ symbol }) => html`<a href=${path('/s/{symbol}', { symbol })}>${symbol}</a>`,
  },
  { key: 'date', title: t('word.date'), value: ({ date }) => date },
  { key: 'kind', title: t('event.kind'), cell: ({ kind }) => t(`comparisons.${kind}`) },
  { key: 'price', title: t('comparisons.price'), cell: (found) => t(PRICE_WORDS[worst(found)]) },
  { key: 'here', title: t('comparisons.here'), isNumber: true, cell: (found) => price(found.here?.[worst(found)]) },
  { key: 'there', title: t('comparisons.there'), isNumber: true, cell: (found) => price(found.there?.[worst(found)]) },
  numberColumn('price_pct', t('comparisons.price_pct'), ({ price_pct }) => price_pct, threeDigits),
  { key: 'volume', title: t('comparisons.volume_here'), isNumber: true, cell: ({ here }) => number(here?.volume) },
  { key: 'there', title: t('comparisons.volume_there'), isNumber: true, cell: ({ there }) => number(there?.volume) },
  numberColumn('volume_pct', t('comparisons.volume_pct'), ({ volume_pct }) => volume_pct, threeDigits),
];
