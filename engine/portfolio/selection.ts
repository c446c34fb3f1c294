/** Selects the instruments to buy when more have a signal than there are places. */
import { isBelow } from '../indicators/ties.ts';
import type { Allocation, PortfolioInstrument, Ranking } from './portfolio.ts';

/** The bars with an entry signal of each instrument; each bar is scanned once, when it is first needed. */
export class EntrySignals {
  private readonly instruments: readonly PortfolioInstrument[];
  /** Next bar of each with a signal. */
  private readonly next: Int32Array;

  constructor(instruments: readonly PortfolioInstrument[]) {
    this.instruments = instruments;
    this.next = new Int32Array(instruments.length).fill(-1);
  }

  /** Must be called in the order of the bars. */
  isOn(instrument: number, index: number): boolean {
    if (this.next[instrument] < index) {
      const { signals, to } = this.instruments[instrument];
      this.next[instrument] = signals.entry(index, to);
    }
    return this.next[instrument] === index;
  }
}

/** Candidates (in the order of their symbols) by rank: undefined figures last, equal ones by symbol. */
export function byRank(
  candidates: readonly number[],
  ranking: Pick<Ranking, 'order'> | null,
  figureOf: (instrument: number) => number,
): readonly number[] {
  if (ranking === null || candidates.length < 2) return candidates;
  const sign = ranking.order === 'asc' ? 1 : -1;
  const figures = new Map(candidates.map((instrument) => [instrument, figureOf(instrument)]));
  const figureAt = (instrument: number) => figures.get(instrument) ?? Number.NaN;
  return candidates.toSorted((a, b) => {
    const [x, y] = [figureAt(a), figureAt(b)];
    const isUndefined = Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return isUndefined || (Number.isNaN(x) ? 0 : sign * (x - y)) || a - b;
  });
}

/** No instrument gets more than this multiple of an equal share. */
const LARGEST_MULTIPLE = 2;

export type WeightOf = (instrument: number) => number;

/**
 * Weights as shares of the equity. `counted` are the instruments that the money is shared between: held, ordered, or
 * chosen; inverse volatility is relative to their sum. A volatility that is undefined or 0 counts as the largest of them.
 */
export function weights(
  { sizing, maxPositions }: Pick<Allocation, 'sizing' | 'maxPositions'>,
  counted: readonly number[],
  volatilityOf: (instrument: number) => number,
): WeightOf {
  if (sizing === 'equal') return () => 1 / maxPositions;
  const inverses = inverseVolatilities(counted.map(volatilityOf));
  const sum = inverses.reduce((total, inverse) => total + inverse, 0);
  const cap = LARGEST_MULTIPLE / maxPositions;
  const byInstrument = new Map(counted.map((instrument, k) => [instrument, Math.min(inverses[k] / sum, cap)]));
  return (instrument) => byInstrument.get(instrument) ?? 0;
}

function inverseVolatilities(volatilities: readonly number[]): number[] {
  const defined = volatilities.filter((volatility) => volatility > 0);
  // Without any, all count the same.
  const largest = defined.length === 0 ? 1 : Math.max(...defined);
  return volatilities.map((volatility) => 1 / (volatility > 0 ? volatility : largest));
}

/** Money that an instrument of a weight is to hold when the portfolio is worth `equity`. */
export function targetValue(weight: number, equity: number, { cashBufferPct }: Allocation): number {
  return weight * equity * (1 - cashBufferPct / 100);
}

/** A position that is off its target by less than this share of it is not adjusted. */
const TOLERANCE = 0.05;

export interface Adjustment {
  readonly instrument: number;
  /** Money, positive for purchases and for sales. */
  readonly amount: number;
}

/** The sales and purchases, each in execution order. */
export function rebalancingOrders(
  positions: readonly { readonly instrument: number; readonly value: number; readonly target: number }[],
  tolerance = TOLERANCE,
): { readonly sales: readonly Adjustment[]; readonly purchases: readonly Adjustment[] } {
  const sales: Adjustment[] = [];
  const purchases: Adjustment[] = [];
  for (const { instrument, value, target } of positions) {
    const amount = target - value;
    if (isBelow(Math.abs(amount), tolerance * target)) continue;
    (amount > 0 ? purchases : sales).push({ instrument, amount: Math.abs(amount) });
  }
  return { sales, purchases };
}
