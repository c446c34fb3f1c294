/** The parts of a rotation: a ranking of the market that is held and looked at again on a schedule. */
import type { Execution } from '../backtest/execution.ts';
import type { Day } from '../market/dates.ts';
import type { PortfolioRun } from '../portfolio/portfolio.ts';
import type { RotationExits } from './exits.ts';
import type { MarketValues, Panel, RebalanceValues } from './panel.ts';
import type { Selection } from './selection.ts';
import type { Weights } from './weights/weights.ts';

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
  /** Those that were held before. */
  readonly stayed: number;
  /** Sum of the weights before the volatility target. */
  readonly total: number;
}

/** Instruments of the trades are members of the panel. */
export interface RotationRun extends PortfolioRun {
  readonly rebalances: readonly Rebalance[];
}
