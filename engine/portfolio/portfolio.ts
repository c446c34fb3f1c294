/** The parts of a portfolio: its instruments, and the rules that allocate the money. */
import type { FilledOrder } from '../backtest/doubts.ts';
import { EXIT_REASONS, type Execution } from '../backtest/execution.ts';
import { always } from '../indicators/scans.ts';
import type { FigureHistory } from '../screener/figure-history.ts';
import type { StrategyPlan } from '../strategies/strategy.ts';
import type { RebalancePeriod, TradedBars } from './clock.ts';

export const SIZINGS = ['equal', 'inverse_volatility'] as const;
export type Sizing = (typeof SIZINGS)[number];

export const MAX_POSITIONS_RANGE = { min: 1, max: 200 } as const;
export const CASH_BUFFER_RANGE = { min: 0, max: 50 } as const;

/** How candidates are ranked. */
export interface Ranking {
  /** Field of the screener. */
  readonly field: string;
  /** Null: the field has none. */
  readonly period: number | null;
  readonly order: 'asc' | 'desc';
}

export interface Allocation {
  readonly maxPositions: number;
  readonly sizing: Sizing;
  /** Bars of the volatility that inverse-volatility sizing uses. */
  readonly volatilityPeriod: number;
  /** Null: by symbol. */
  readonly rankBy: Ranking | null;
  readonly rebalance: RebalancePeriod;
  /** Share of the equity that sizing leaves in cash, in percent. */
  readonly cashBufferPct: number;
}

/** Prices are on the basis of the run. */
export interface TradedInstrument extends TradedBars, StrategyPlan {
  /** Whether its last bar here is its last bar ever. */
  readonly isDelisted: boolean;
  /** 1 at each bar at whose close no exit is looked at; absent: exits are looked at on every close. */
  readonly withoutExits?: Uint8Array;
}

/** The part of a portfolio that cash and orders know. */
export interface TradingInput {
  /** By symbol. */
  readonly instruments: readonly TradedInstrument[];
  readonly execution: Execution;
  /** Interest on cash of the night before each session, as fractions; absent: none. */
  readonly interest?: Float64Array | undefined;
  /** Whether purchases that are filled together share too little cash in proportion; absent: the first ones take it. */
  readonly sharesCash?: boolean;
  /** Whether the orders that were filled are kept. */
  readonly keepsOrders?: boolean;
}

/** An order that was filled: a purchase, or a sale that was decided. */
export interface PortfolioOrder extends FilledOrder {
  /** Index in the instruments. */
  readonly instrument: number;
}

/** The whole history up to the end of the range is there. */
export interface PortfolioInstrument extends TradedInstrument {
  /** `<TICKER>.US` */
  readonly symbol: string;
  /** Figures that candidates are ranked by; null: they are ranked by symbol. */
  readonly rank: FigureHistory | null;
  /** Annualized volatility; null where sizing does not need it. */
  readonly volatility: FigureHistory | null;
}

export interface PortfolioInput extends TradingInput {
  /** By symbol; each has at least one bar in the range. */
  readonly instruments: readonly PortfolioInstrument[];
  /** The result of `clockOf`. */
  readonly clock: Int32Array;
  readonly allocation: Allocation;
}

export const PORTFOLIO_EXIT_REASONS = [...EXIT_REASONS, 'rebalance', 'withdrawal'] as const;
export type PortfolioExitReason = (typeof PORTFOLIO_EXIT_REASONS)[number];

/** The rules of what is never sold by a rule. */
export const NO_EXITS: StrategyPlan = {
  signals: { entry: always, exit: null, stop: null, trail: null },
  overlays: { stopLossPct: 0, takeProfitPct: 0, maxBars: 0 },
};

/** A sale, with the part of the purchases that it closes. Prices are those paid and received, slippage included. */
export interface PortfolioTrade {
  /** Index in the instruments. */
  readonly instrument: number;
  /** Bars of the instrument's series: of the first purchase, and the last one when it was sold. */
  readonly entryIndex: number;
  readonly exitIndex: number;
  /** Session of the sale: later than the bar if the instrument has none at the end of the range. */
  readonly exitDay: number;
  readonly entryPrice: number;
  readonly exitPrice: number;
  readonly shares: number;
  /** Money, after costs. */
  readonly pnl: number;
  /** In percent of the cost of the shares sold. */
  readonly pnlPct: number;
  /** The money paid for the shares sold, commissions included. */
  readonly cost: number;
  /** Whether nothing of the position is left. */
  readonly isLast: boolean;
  /** Commission of the sale, and its share of the commissions of the purchases. */
  readonly commission: number;
  readonly maePct: number;
  readonly mfePct: number;
  readonly exitReason: PortfolioExitReason;
}

/** Whatever is held and ordered at the end of a session. */
export interface OpenBook {
  readonly positions: readonly { readonly instrument: number; readonly shares: number }[];
  /** Orders for the next open. `reason`: of a purchase `entry`. */
  readonly orders: readonly {
    readonly instrument: number;
    readonly side: 'buy' | 'sell';
    readonly reason: PortfolioExitReason | 'entry';
  }[];
}

export interface PortfolioRun {
  /** In the order of the sales. */
  readonly trades: readonly PortfolioTrade[];
  /** Empty where the input does not keep them. */
  readonly orders: readonly PortfolioOrder[];
  /** Money at the end of each session. */
  readonly equity: Float64Array;
  /** The initial capital, grown by the returns alone, where money goes in and out; absent: it is `equity`. */
  readonly curve?: Float64Array;
  /** Positions at the end of each session, and the money that they are worth. */
  readonly positions: Int32Array;
  readonly invested: Float64Array;
  /** The money that the largest of them is worth, and the sum of the squares of all. */
  readonly largest: Float64Array;
  readonly squares: Float64Array;
  /** Sums of notionals. */
  readonly purchases: number;
  readonly sales: number;
  /** Interest on the cash, as money. */
  readonly interest: number;
  /** At the end of the last session but one: at the last one everything is sold. Null: there is no such session. */
  readonly open: OpenBook | null;
}
