/** Comparisons with other providers: the newest one, what it found, earlier ones, and a form for the next. */
import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { paging } from '../controls.ts';
import { fieldsOf, html, nothing, SiteElement } from '../dom.ts';
import { saveAnswer } from '../download.ts';
import { type Column, numberColumn } from '../elements/data-table.ts';
import { codeFilter, type Filter, filterField } from '../elements/filtered-list.ts';
import { get, post } from '../session.ts';
import { LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { fileSize, number, price, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BarDifference, Comparison, Comparisons, Listed } from '../types.ts';
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

const VENUE_BASES = ['consolidated', 'primary_session', 'single_venue'] as const;
const DAYS = 30;
const PRICE_TOLERANCE_PCT = '0.01';
const VOLUME_TOLERANCE_PCT = '1';

@customElement('ops-comparisons')
export class ComparisonPanel extends SiteElement {
  @property({ attribute: false }) comparisons!: Comparisons;
  /** Newest loaded session. */
  @property({ attribute: false }) loadedTo!: string | null;
  /** The id of the comparison that is shown; null: the newest. */
  @state() chosen: number | null = null;
  private readonly action = new Action(this);

  override render() {
    const { items } = this.comparisons;
    const shown = items.find(({ id }) => id === this.chosen) ?? items[0];
    const others = items.filter((one) => one !== shown);
    return html`${shown ? this.one(shown) : html`<p class="muted">${t('comparisons.none')}</p>`}
      ${others.length > 0 ? this.others(others) : nothing}${this.form()}${this.action.feedback()}`;
  }

  private one(comparison: Comparison) {
    const { status, error, progress_pct: share, result } = comparison;
    const isOpen = status === 'queued' || status === 'running';
    return html`<div class="ops-loads">
      <div class="row spread">
        <div>${titleOf(comparison)} <span class="muted">${t('comparisons.asked', { by: comparison.requested_by, at: utcTime(comparison.requested_at) })}</span></div>
        <div class="row">
          <span>${t(`comparisons.status.${status}`)}</span>
          ${isOpen ? html`<button class="danger" ?disabled=${this.action.isBusy} @click=${() => this.cancel(comparison)}>${t('word.cancel')}</button>` : nothing}
        </div>
      </div>
      ${isOpen ? html`<progress max="100" .value=${share} aria-label=${t('comparisons.progress')}></progress>` : nothing}
      ${error === null ? nothing : html`<p class="cause">${error}</p>`}
      ${result === null ? nothing : html`${figures(comparison, result)}${notCompared(result)}<ops-differences .comparison=${comparison}></ops-differences>`}
    </div>`;
  }

  private others(others: readonly Comparison[]) {
    return html`<details>
      <summary>${t('comparisons.earlier')}</summary>
      <ul class="plain">${others.map((one) => this.other(one))}</ul>
    </details>`;
  }

  private other(comparison: Comparison) {
    const { id, status, requested_at: at } = comparison;
    const show = () => {
      this.chosen = id;
    };
    return html`<li class="row spread">
      <span>${titleOf(comparison)} <span class="muted">${utcTime(at)} · ${t(`comparisons.status.${status}`)}</span></span>
      <button class="quiet" aria-label=${t('comparisons.show_one', { id: String(id) })} @click=${show}>${t('comparisons.show')}</button>
    </li>`;
  }

  private form() {
    const { providers } = this.comparisons;
    if (providers.length === 0) return html`<p class="muted">${t('comparisons.no_provider')}</p>`;
    const end = this.loadedTo ?? '';
    const start = end === '' ? '' : new Date(Date.parse(end) - DAYS * 86_400_000).toISOString().slice(0, 10);
    return html`<details>
      <summary>${t('comparisons.new')}</summary>
      <form @submit=${this.create}>
        <div class="fields">
          <label class="field"><span>${t('comparisons.against')}</span><select name="against">${providers.map((id) => html`<option>${id}</option>`)}</select></label>
          <label class="field"><span>${t('exports.venue_basis')}</span><select name="venue_mode">${VENUE_BASES.map((venueBasis) => html`<option value=${venueBasis}>${t(`venue_basis.${venueBasis}`)}</option>`)}</select></label>
          <label class="field"><span>${t('exports.start')}</span><input type="date" name="start" value=${start} required /></label>
          <label class="field"><span>${t('exports.end')}</span><input type="date" name="end" value=${end} required /></label>
          ${tolerance('tolerance_pct', t('comparisons.tolerance'), PRICE_TOLERANCE_PCT)}
          ${tolerance('volume_tolerance_pct', t('comparisons.volume_tolerance'), VOLUME_TOLERANCE_PCT)}
        </div>
        <p class="muted">${t('comparisons.text')}</p>
        <p><button class="primary" ?disabled=${this.action.isBusy}>${t('comparisons.new')}</button></p>
      </form>
    </details>`;
  }

  private readonly create = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const given = fieldsOf(event);
    const body = {
      ...Object.fromEntries(given),
      tolerance_pct: Number(given.get('tolerance_pct')),
      volume_tolerance_pct: Number(given.get('volume_tolerance_pct')),
    };
    const isDone = await this.action.run(t('comparisons.queued'), () => post('/api/admin/data/comparisons', body));
    if (isDone) this.chosen = null;
  };

  private cancel({ job_id: id }: Comparison): Promise<void> {
    const text = t('comparisons.cancel.text');
    const address = path('/api/admin/jobs/{queue}/{id}/cancel', { queue: 'compare', id });
    const question = { title: t('comparisons.cancel'), text, action: t('ops.cancel.yes') };
    return this.action.confirm(question, t('ops.cancelled'), () => post(address, {}));
  }
}

function titleOf({ id, against, venue_mode: venueBasis, start, end }: Comparison) {
  return html`<b>${id} · ${against}</b> ${t(`venue_basis.${venueBasis}`)} · ${start} … ${end}`;
}

function tolerance(name: string, label: string, value: string) {
  return html`<label class="field"><span>${label}</span><input type="number" name=${name} min="0" max="100" step="any" value=${value} required /></label>`;
}

type Result = NonNullable<Comparison['result']>;

function figures({ tolerance_pct: price, volume_tolerance_pct: volume }: Comparison, result: Result) {
  const { compared, sessions, differences } = result;
  const whole = (count: number) =>
    count === 0 ? nothing : html`<small>${t('comparisons.more_sessions', { count })}</small>`;
  return html`<dl class="figures">
    <div><dt>${t('comparisons.compared')}</dt><dd>${number(compared)}<small>${t('comparisons.sessions', { count: sessions })}</small></dd></div>
    <div><dt>${t('comparisons.differs')}</dt><dd>${number(differences.differs)}<small>${t('comparisons.tolerances', { price, volume })}</small></dd></div>
    <div><dt>${t('comparisons.only_here')}</dt><dd>${number(differences.only_here)}${whole(result.sessions_only_here)}</dd></div>
    <div><dt>${t('comparisons.only_there')}</dt><dd>${number(differences.only_there)}${whole(result.sessions_only_there)}</dd></div>
  </dl>`;
}

function notCompared({ unread, unknown_rows: rows, unknown_tickers: tickers, malformed_rows: malformed }: Result) {
  if (unread.length === 0 && rows === 0 && malformed === 0) return nothing;
  return html`<details>
    <summary>${t('comparisons.besides')}</summary>
    ${unread.map(({ unit, error }) => html`<p>${t('comparisons.unread', { unit })}</p><p class="cause">${error}</p>`)}
    ${rows > 0 ? html`<p>${t('comparisons.unknown', { rows, tickers: tickers.join(', ') })}</p>` : nothing}
    ${malformed > 0 ? html`<p>${t('comparisons.malformed', { rows: malformed })}</p>` : nothing}
  </details>`;
}
