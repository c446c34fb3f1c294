/** How alike the members of a portfolio move: a table colored by the correlations of their weekly returns. It loads when it is opened. */
import { customElement, property, state } from 'lit/decorators.js';
import { scrollTable } from '../controls.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { post } from '../session.ts';
import { LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { fixed, listed, ticker } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Batch, Kline, PortfolioResult } from '../types.ts';

/** Members of the largest table: more could not be read. */
const MOST_MEMBERS = 20;
const SHADES = 6;

@customElement('member-correlations')
export class MemberCorrelations extends SiteElement {
  @property({ attribute: false }) result!: PortfolioResult;
  /** Null: not opened yet. */
  @state() found: Loaded<Found> | null = null;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('result') && this.found !== null) void this.load();
  }

  private readonly load = async () => {
    const { result } = this;
    this.found = LOADING;
    const found = await settle(read(result));
    // Another result was not shown meanwhile.
    if (result === this.result) this.found = found;
  };

  private readonly open = ({ target }: Event) => {
    if (target instanceof HTMLDetailsElement && target.open && this.found === null) void this.load();
  };

  override render() {
    const { result, found } = this;
    const { length } = membersOf(result);
    if (length < 2 || length > MOST_MEMBERS) return nothing;
    return html`<details @toggle=${this.open}>
      <summary>${t('portfolio.correlations')}</summary>
      ${found === null ? nothing : whenLoaded(found, this.load, table)}
    </details>`;
  }
}

/** The instruments; of a rotation those that it holds at the end. */
const membersOf = ({ symbols, rebalances }: PortfolioResult) =>
  rebalances ? Object.keys(rebalances.at(-1)?.weights ?? {}) : (symbols ?? []);

interface Found extends Correlations {
  /** Members that have no candles here: beyond the reader's plan, or no longer loaded. */
  readonly missing: readonly string[];
}

async function read(result: PortfolioResult): Promise<Found> {
  const range = { start: result.start_date, end: result.end_date };
  const body = { symbols: membersOf(result), type: 'kline', period: 'week', adjust: 'total', ...range };
  const { results } = await post<Batch>('/v1/batch', body);
  const found = correlationsOf(Object.values(results).flatMap((one) => ('bars' in one ? [one] : [])));
  return { ...found, missing: membersOf(result).filter((symbol) => !found.symbols.includes(symbol)) };
}

interface CorrelationMap {
  readonly label: string;
  readonly names: readonly string[];
  /** Above the columns; default: the names. */
  readonly heads?: readonly string[];
  /** Row by row; null: unknown. */
  readonly values: readonly (readonly (number | null)[])[];
  /** How dark a value is, up to 1. */
  readonly shadeOf?: (value: number) => number;
}

/** Darker is more alike; those that move against each other have a sign instead. */
export function correlationMap({ label, names, heads = names, values, shadeOf = (value) => value }: CorrelationMap) {
  const shade = (value: number) => (value <= 0 ? '' : `shade-${Math.ceil(SHADES * Math.min(1, value))}`);
  const cell = (value: number | null, isSame: boolean) => {
    if (value === null || isSame) return html`<td class="number muted">${isSame ? fixed(1, 2) : '–'}</td>`;
    return html`<td class="number ${shade(shadeOf(value))}">${fixed(value, 2)}</td>`;
  };
  return scrollTable(
    label,
    'heat',
    html`<thead>
        <tr><td></td>${heads.map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr>
      </thead>
      <tbody>
        ${values.map((row, i) => html`<tr><th scope="row">${names[i]}</th>${row.map((value, j) => cell(value, i === j))}</tr>`)}
      </tbody>`,
  );
}

function table(correlations: Found) {
  const { symbols, values, missing } = correlations;
  const without =
    missing.length === 0 ? '' : t('portfolio.correlations.missing', { symbols: listed(missing.map(ticker)) });
  return html`<p>${words(correlations)} ${without}</p>
    ${correlationMap({ label: t('portfolio.correlations'), names: symbols.map(ticker), values })}`;
}

/** The mean, and the pairs that move most and least alike. */
function words({ symbols, values, weeks }: Correlations): string {
  const pairs = values.flatMap((row, i) =>
    row.flatMap((value, j) =>
      j <= i || value === null ? [] : [{ value, a: ticker(symbols[i]), b: ticker(symbols[j]) }],
    ),
  );
  if (pairs.length === 0) return t('portfolio.correlations.none');
  const mean = pairs.reduce((sum, { value }) => sum + value, 0) / pairs.length;
  const most = pairs.reduce((a, b) => (b.value > a.value ? b : a));
  const least = pairs.reduce((a, b) => (b.value < a.value ? b : a));
  return t('portfolio.correlations.words', {
    weeks,
    mean: fixed(mean, 2),
    a: most.a,
    b: most.b,
    most: fixed(most.value, 2),
    c: least.a,
    d: least.b,
    least: fixed(least.value, 2),
  });
}

/** Weeks that two instruments must share: fewer say nothing. */
const LEAST_WEEKS = 8;

interface Correlations {
  readonly symbols: readonly string[];
  /** Row by row; null: too few weeks. */
  readonly values: readonly (readonly (number | null)[])[];
  /** Weekly returns of the instrument that has most. */
  readonly weeks: number;
}

/** Returns by the last day of their week. */
function returnsOf(bars: Kline['bars']): ReadonlyMap<string, number> {
  return new Map(bars.slice(1).map(({ ts, close }, i) => [ts, close / bars[i].close - 1]));
}

/** Null if the instruments share too few weeks, or one of them never moved. */
function correlation(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number | null {
  const pairs = [...a].flatMap(([ts, x]) => {
    const y = b.get(ts);
    return y === undefined ? [] : [[x, y] as const];
  });
  if (pairs.length < LEAST_WEEKS) return null;
  const [meanX, meanY] = [0, 1].map((k) => pairs.reduce((sum, pair) => sum + pair[k], 0) / pairs.length);
  let [xy, xx, yy] = [0, 0, 0];
  for (const [x, y] of pairs) {
    xy += (x - meanX) * (y - meanY);
    xx += (x - meanX) ** 2;
    yy += (y - meanY) ** 2;
  }
  return xx === 0 || yy === 0 ? null : xy / Math.sqrt(xx * yy);
}

/** `candles`: weekly, by symbol. */
function correlationsOf(candles: readonly Pick<Kline, 'symbol' | 'bars'>[]): Correlations {
  const returns = candles.map(({ bars }) => returnsOf(bars));
  return {
    symbols: candles.map(({ symbol }) => symbol),
    values: returns.map((a, i) => returns.map((b, j) => (i === j ? 1 : correlation(a, b)))),
    weeks: Math.max(0, ...returns.map(({ size }) => size)),
  };
}
