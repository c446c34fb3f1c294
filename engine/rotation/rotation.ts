/** The parts of a rotation: a ranking of the market that is held and looked at again on a schedule. */
import type { Execution } from '../backtest/execution.ts';
import { IndicatorSet } from '../indicators/indicator-set.ts';
import type { Day } from '../market/dates.ts';
import { periodEnds, type RebalancePeriod } from '../portfolio/clock.ts';
import { NO_EXITS, type PortfolioRun } from '../portfolio/portfolio.ts';
import type { OtherInstruments } from '../rules/other-instruments.ts';
import { exitScans } from '../rules/signals.ts';
import type { Expression } from '../rules/syntax.ts';
import type { Overlays, StrategyPlan } from '../strategies/strategy.ts';
import type { MarketValues, Panel, PanelMember, RebalanceValues } from './panel.ts';
import type { Selection } from './selection.ts';
import type { Weights } from './weights/weights.ts';

export const SESSIONS_RANGE = { min: 1, max: 252 } as const;
export const OFFSET_RANGE = { min: 0, max: 20 } as const;

export interface Schedule {
  /** The last session of each period, or every so many sessions of the range. */
  readonly every: Exclude<RebalancePeriod, 'none'> | { readonly sessions: number };
  /** Sessions later. */
  readonly offset: number;
}

/** Indices in the clock, oldest first. The last session of the range is never one: nothing bought on it could be held. */
export function rebalanceSessions(clock: Int32Array, { every, offset }: Schedule): number[] {
  const isDue =
    typeof every === 'string'
      ? periodEnds(clock, every)
      : Uint8Array.from(clock, (_, t) => Number((t + 1) % every.sessions === 0));
  const last = clock.length - 1;
  return [...isDue.keys()].filter((t) => isDue[t] === 1).flatMap((t) => (t + offset < last ? [t + offset] : []));
}

/** The weights of some members at a session, in their order. `total`: of equal ones that are wanted instead of the method's. */
export type Weigh = (
  panel: Panel,
  at: Pick<RebalanceValues, 'session' | 'score'>,
  members: readonly number[],
  total?: number,
) => Weights;

export interface RotationRule extends Selection {
  readonly weigh: Weigh;
  readonly exits: RotationExits | null;
  /** Share of the equity that stays in cash, in percent. */
  readonly cashBufferPct: number;
}

export interface RotationInput {
  readonly panel: Panel;
  readonly values: MarketValues;
  readonly rule: RotationRule;
  readonly execution: Execution;
  /** Interest on cash of the night before each session, as fractions; absent: none. */
  readonly interest?: Float64Array | undefined;
}

export interface Rebalance {
  readonly day: Day;
  readonly eligible: number;
  readonly scored: number;
  /** Members that are to be held and were not, and the other way round. */
  readonly entered: readonly number[];
  readonly left: readonly number[];
  /** By member: the share of the equity that is to be bought or, below 0, sold. */
  readonly changes: ReadonlyMap<number, number>;
  /** Half the sum of the ordered amounts ÷ equity, in percent. */
  readonly turnoverPct: number;
  /** By member, in their order: after the volatility target, before the cash buffer. */
  readonly weights: ReadonlyMap<number, number>;
  /** False: the method of weights had no solution, and the weights are equal ones. */
  readonly areWeightsDefined: boolean;
  /** Whether the market filter was true, or there is none. */
  readonly filter: boolean;
  readonly set: ChosenSet;
}

/** How the names of a rebalance were chosen. */
export interface ChosenSet {
  readonly size: number;
  /** Names that were held before and still are. */
  readonly stayed: number;
  /** Sum of the weights before the volatility target. */
  readonly total: number;
}

/** Instruments of the trades are members of the panel. */
export interface RotationRun extends PortfolioRun {
  readonly rebalances: readonly Rebalance[];
}

export interface RotationExits extends Pick<Overlays, 'stopLossPct' | 'takeProfitPct'> {
  /** Prices without parameters: `['-', ['entry_price'], …]`. */
  readonly stop: Expression | null;
  readonly trail: Expression | null;
  /** Other instruments that they name. */
  readonly others?: OtherInstruments;
}

export interface ExitPlan extends StrategyPlan {
  readonly withoutExits: Uint8Array;
}

/**
 * The exits of a member, none of them at the sessions of rebalances. What they sell stays out until the next one, which is the only time at
 * which a rotation buys.
 */
export function exitPlan(exits: RotationExits, { series }: PanelMember, rebalanceDays: ReadonlySet<Day>): ExitPlan {
  const { stopLossPct, takeProfitPct } = exits;
  const withoutExits = Uint8Array.from(series.day, (day) => Number(rebalanceDays.has(day)));
  return {
    withoutExits,
    signals: { ...NO_EXITS.signals, ...exitScans(exits, new IndicatorSet(series), withoutExits, exits) },
    overlays: { stopLossPct, takeProfitPct, maxBars: 0 },
  };
}
