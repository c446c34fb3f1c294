/** The origin of a bar: its unadjusted rows with their loads and files, their revisions, and the events that adjust its prices. */
import '../tool.ts';
import './data-table.ts';
import { customElement, property } from 'lit/decorators.js';
import { ApiError, path } from '../api.ts';
import { barRevision } from '../bar-changes.ts';
import { fieldValue, html, nothing, SiteElement } from '../dom.ts';
import { eventName, type MarketEvent } from '../events.ts';
import { Load } from '../load.ts';
import { get } from '../session.ts';
import { failure } from '../states.ts';
import { fileSize, number, price, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BarExplanation } from '../types.ts';
import type { Column } from './data-table.ts';

type Row = BarExplanation['rows'][number];

const FACTOR_DIGITS = 6;
/** Tables with so many columns take the width of the page. */
const WIDE = 4;

/** Fires `choose` with the day that the reader enters. */
@customElement('bar-origin')
export class BarOrigin extends SiteElement {
  @property() symbol!: string;
  /** YYYY-MM-DD */
  @property() date!: string;
  /** The newest day that can be asked for. */
  @property() newest!: string;
  private readonly explained = new Load(this, () => get<BarExplanation>(this.address), { of: () => this.date });

  private get address(): string {
    return path('/v1/static/{symbol}/bars/{date}', { symbol: this.symbol, date: this.date });
  }

  private readonly onChange = (event: Event) => {
    const detail = fieldValue(event);
    if (detail !== '') this.dispatchEvent(new CustomEvent('choose', { detail }));
  };

  override render() {
    return html`<div class="fields">
        <label class="field"><span>${t('word.date')}</span>
          <input type="date" required max=${this.newest} .value=${this.date} @change=${this.onChange} aria-describedby="origin-hint" />
          <span class="hint" id="origin-hint">${t('origin.hint')}</span></label>
      </div>
      <div aria-live="polite">${this.outcome()}</div>`;
  }

  private outcome() {
    return this.explained.render(explanation, (error, retry) => {
      if (!(error instanceof ApiError)) return failure(error, retry);
      if (error.status === 404)
        return html`<p class="muted">${t('origin.none', { symbol: this.symbol, date: this.date })}</p>`;
      return error.key === 'error.plan_capability'
        ? html`<p class="notice">${t('origin.plan')}</p>`
        : failure(error, retry);
    });
  }
}

function explanation({ rows, events, price_factor: factor }: BarExplanation) {
  const read = rows.find((row) => row.in_backtests);
  const files = new Map(rows.flatMap(({ loaded_by }) => loaded_by?.sources ?? []).map((file) => [file.sha256, file]));
  const revisions = rows.flatMap((row) => row.revisions.map((one) => ({ ...one, venueBasis: row.venue_mode })));
  return html`${table(t('origin.rows'), ROW_COLUMNS, rows)}
    ${read ? table(t('origin.adjusted'), PRICE_COLUMNS, pricesOf(read, factor)) : nothing}
    ${events.length > 0 ? table(t('origin.events'), EVENT_COLUMNS, events) : nothing}
    ${revisions.length > 0 ? table(t('origin.revisions'), REVISION_COLUMNS, revisions) : nothing}
    ${files.size > 0 ? table(t('origin.files'), FILE_COLUMNS, [...files.values()]) : nothing}`;
}

function table<Item>(caption: string, columns: readonly Column<Item>[], items: readonly Item[]) {
  return html`<h2>${caption}</h2>
    <data-table class=${columns.length < WIDE ? 'short narrow' : 'short'} .columns=${columns} .rows=${items} caption=${caption}></data-table>`;
}

const priceColumn = (name: 'open' | 'high' | 'low' | 'close', title: string): Column<Row> => {
  return { key: name, title, isNumber: true, cell: ({ bar }) => price(bar[name]) };
};

const ROW_COLUMNS: readonly Column<Row>[] = [
  { key: 'basis', title: t('exports.venue_basis'), cell: ({ venue_mode }) => t(`venue_basis.${venue_mode}`) },
  priceColumn('open', t('word.open')),
  priceColumn('high', t('word.high')),
  priceColumn('low', t('word.low')),
  priceColumn('close', t('word.close_price')),
  { key: 'volume', title: t('word.volume'), isNumber: true, cell: ({ bar }) => number(bar.volume) },
  {
    key: 'read',
    title: t('origin.in_backtests'),
    cell: ({ in_backtests }) => t(in_backtests ? 'origin.yes' : 'origin.no'),
  },
  {
    key: 'loaded',
    title: t('origin.loaded'),
    cell: ({ loaded_by }) =>
      loaded_by === null
        ? t('origin.unrecorded')
        : t('origin.load', { at: utcTime(loaded_by.at), id: String(loaded_by.sync_job_id) }),
  },
];

interface PriceMode {
  readonly name: string;
  readonly factor: number;
  readonly close: number;
}

function pricesOf({ bar }: Row, { split, total }: BarExplanation['price_factor']): PriceMode[] {
  return [
    { name: t('symbol.prices.none'), factor: 1, close: bar.close },
    { name: t('symbol.prices.qfq'), factor: split, close: bar.close * split },
    { name: t('symbol.prices.total'), factor: total, close: bar.close * total },
  ];
}

const PRICE_COLUMNS: readonly Column<PriceMode>[] = [
  { key: 'name', title: t('symbol.prices'), cell: ({ name }) => name },
  { key: 'factor', title: t('origin.factor'), isNumber: true, cell: ({ factor }) => number(factor, FACTOR_DIGITS) },
  { key: 'close', title: t('word.close_price'), isNumber: true, cell: ({ close }) => price(close) },
];

const EVENT_COLUMNS: readonly Column<Pick<MarketEvent, 'ex_date' | 'kind' | 'factor'>>[] = [
  { key: 'ex_date', title: t('event.ex_date'), cell: ({ ex_date }) => ex_date },
  { key: 'kind', title: t('event.kind'), cell: eventName },
  { key: 'factor', title: t('origin.factor'), isNumber: true, cell: ({ factor }) => number(factor, FACTOR_DIGITS) },
];

type Revised = Row['revisions'][number] & { readonly venueBasis: Row['venue_mode'] };

const REVISION_COLUMNS: readonly Column<Revised>[] = [
  { key: 'at', title: t('revisions.at'), cell: ({ at }) => utcTime(at) },
  { key: 'basis', title: t('exports.venue_basis'), cell: ({ venueBasis }) => t(`venue_basis.${venueBasis}`) },
  { key: 'change', title: t('revisions.change'), cell: ({ was, is }) => barRevision(was, is) },
  { key: 'job', title: t('revisions.load'), isNumber: true, cell: ({ sync_job_id }) => number(sync_job_id) },
];

type SourceFile = NonNullable<Row['loaded_by']>['sources'][number];

const FILE_COLUMNS: readonly Column<SourceFile>[] = [
  { key: 'name', title: t('word.name'), cell: ({ name }) => name },
  { key: 'size', title: t('data.size'), isNumber: true, cell: ({ bytes }) => fileSize(bytes) },
  { key: 'sha256', title: 'SHA-256', cell: ({ sha256 }) => html`<code class="small">${sha256}</code>` },
];
