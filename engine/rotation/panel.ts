/** A panel: the bars of the members of a rotation on one clock, and the values of the rules at each session. */
import type { Traded } from '../backtest/doubts.ts';
import { IndicatorSet } from '../indicators/indicator-set.ts';
import { allocateSeries } from '../market/series.ts';
import type { TradedBars } from '../portfolio/clock.ts';
import { HistoryColumns } from '../rules/columns.ts';
import { evaluateMarket, type Market, type MarketPrograms, withIndices } from '../rules/market-values.ts';
import type { OtherInstruments } from '../rules/other-instruments.ts';
import type { RotationPrograms } from './rules.ts';

/** An instrument of the universe that has a bar in the range. Its bars are adjusted to the last of them. */
export interface PanelMember extends TradedBars {
  /** `<TICKER>.US` */
  readonly symbol: string;
  /** The symbol without its market: `BRK`, which is before `BRK.B`. */
  readonly ticker: string;
  /** Whether its last bar in the range is its last bar of all: it is then no candidate on it, and sold at its close. */
  readonly isDelisted: boolean;
  /** As its orders are judged by it; absent where its bars are. */
  readonly traded?: Traded | undefined;
}

export interface Panel {
  /**
   * By ticker, so that ties are decided by the index. A member that no rebalance can choose may come without its bars
   * (`EMPTY_SERIES`), because those of a whole market do not fit in memory.
   */
  readonly members: readonly PanelMember[];
  /** Every day up to the end of the range on which any member has a bar, those before the range included. */
  readonly sessions: Int32Array;
  /** Index in `sessions` of the first session of the range. */
  readonly first: number;
  /** The sessions of the range: `sessions` from `first` on. */
  readonly clock: Int32Array;
}

/** The values of the rules at the close of one session. */
export interface RebalanceValues {
  /** Index in the clock. */
  readonly session: number;
  /** How many members have a bar and meet `where`. */
  readonly eligible: number;
  /** By member; NaN where it is not eligible or its score is undefined. */
  readonly score: Float64Array;
}

/** Values of the market filter by session of the clock. */
export const FILTER = { undefined: -1, closed: 0, open: 1 } as const;

export interface MarketValues {
  /** One entry per rebalance session, oldest first. */
  readonly rebalances: readonly RebalanceValues[];
  /** One of `FILTER` at each session of the clock; null: there is no market filter. */
  readonly filter: Int8Array | null;
  /** Whether an own column left the filter undefined at a session, so that its last value counts for as long. */
  readonly isFilterCarried?: boolean;
}

/** The rules that are evaluated across the market. */
function marketPrograms({ where, score }: RotationPrograms): MarketPrograms {
  return { where: where === null ? [] : [where], values: [score] };
}

/** `rebalances`: indices in the clock, ascending. `everEligible`: how many members are eligible at any of them. */
export async function marketValues(
  market: Market,
  { sessions, first, clock }: Pick<Panel, 'sessions' | 'first' | 'clock'>,
  programs: RotationPrograms,
  rebalances: readonly number[],
  others: OtherInstruments | undefined,
): Promise<MarketValues & { readonly everEligible: number }> {
  const asked = rebalances.map((session) => first + session);
  const rules = marketPrograms(programs);
  const { filter: marketFilter } = programs;
  const named = await withIndices(market, marketFilter ? [marketFilter.isTrue] : [], sessions, others);
  const { eligible, values } = await evaluateMarket(market, rules, { sessions, asked }, named);
  const filter = marketFilter && filterValues(marketFilter, sessions, market.own, named);
  const members = market.members.length;
  const isEver = new Uint8Array(members);
  for (let at = 0; at < eligible.length; at++) isEver[at % members] |= eligible[at];
  return {
    everEligible: isEver.reduce((sum, flag) => sum + flag, 0),
    rebalances: rebalances.map((session, i) => {
      const [from, to] = [i * members, (i + 1) * members];
      const count = eligible.subarray(from, to).reduce((sum, flag) => sum + flag, 0);
      return { session, eligible: count, score: values[0].subarray(from, to) };
    }),
    filter: filter?.values.subarray(first, first + clock.length) ?? null,
    isFilterCarried: filter?.carried.some((session) => session >= first) ?? false,
  };
}

/**
 * At each session. Rules of the filter go in time by the sessions, because it has no bars of its own. `carried`: sessions at which an own
 * column has no value any more, and the last one counts: a feed that died does not invest.
 */
function filterValues(
  { isTrue, isFalse }: NonNullable<RotationPrograms['filter']>,
  sessions: Int32Array,
  own: Market['own'],
  others: OtherInstruments | undefined,
): { readonly values: Int8Array; readonly carried: readonly number[] } {
  const bars = { ...allocateSeries(sessions.length), own };
  bars.day.set(sessions);
  const columns = new HistoryColumns(new IndicatorSet(bars), { others });
  const [open, closed] = [columns.mask(isTrue), columns.mask(isFalse)];
  const values = Int8Array.from(open, (flag, t) =>
    flag === 1 ? FILTER.open : closed[t] === 1 ? FILTER.closed : FILTER.undefined,
  );
  const carried: number[] = [];
  for (let t = 1; isTrue.readsColumns && t < values.length; t++) {
    if (values[t] !== FILTER.undefined || values[t - 1] === FILTER.undefined) continue;
    values[t] = values[t - 1];
    carried.push(t);
  }
  return { values, carried };
}
