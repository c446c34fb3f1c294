/** The kinds of runs that pages make, keep, and share, with their addresses in the API and their titles. */
import { t } from '../text.ts';
import type { BacktestResult, History, PortfolioResult, Strategies } from '../types.ts';
import { cashOf, costsOf, OWN_RULES, type RunBody } from './specification.ts';

/** Parameters of every built-in strategy: exits beside its own. */
export const EXITS: readonly string[] = ['stop_loss_pct', 'take_profit_pct', 'max_bars'];

/** In place of a strategy, a ranking decides what is held. */
const ROTATION = 'rotation';
/** In place of a strategy, weights decide. */
const WEIGHTS = 'targets';

/** Those whose equity is measured, which can be compared. */
export const MEASURED_KINDS = ['backtest', 'portfolio'] as const satisfies readonly History['items'][number]['kind'][];
/** Each has the page of its name. */
export const KEPT_KINDS = [
  ...MEASURED_KINDS,
  'outcomes',
] as const satisfies readonly History['items'][number]['kind'][];

export type AnyResult = BacktestResult | PortfolioResult;

export interface RunKind<Body extends object, Result extends { readonly id: number | null }> {
  /** The page that makes a run, and the heading of that page. */
  readonly page: string;
  readonly heading: string;
  /** The heading while a shared run is loading. */
  readonly sharedHeading: string;
  /** Addresses of the API. */
  readonly api: {
    readonly run: string;
    /** For the account that keeps the run. */
    readonly kept: string;
    readonly share: string;
    /** For everybody who has the link. */
    readonly shared: string;
    /** Below which a kept run is verified. */
    readonly evidence: string;
    /** The page of the tear sheet of a kept run; null: it has none. */
    readonly sheet: string | null;
  };
  /** Whether guests may not make it. */
  readonly needsKey: boolean;
  /** The instruments in a few words. */
  readonly subject: (result: Result) => string;
  /** The run in one line. */
  readonly title: (result: Result, strategies: Strategies) => string;
  /** The idea of the run: what it may hold, and by which rule. */
  readonly idea: (result: Result, strategies: Strategies) => string;
  /** The call that reproduces a result. */
  readonly bodyOf: (result: Result) => Body;
  /** The query of the page that makes the run. */
  readonly queryOf: (body: Body) => string;
}

export function strategyName({ strategies }: Strategies, code: string): string {
  if (code === OWN_RULES) return t('form.own_rules');
  if (code === ROTATION) return t('rotation.name');
  if (code === WEIGHTS) return t('weights.name');
  return strategies.find((strategy) => strategy.code === code)?.name ?? code;
}

/** The strategy of a run with its numbers: `Donchian breakout 40/20`. */
export function strategyWords(
  strategies: Strategies,
  { strategy, params }: Pick<AnyResult, 'strategy' | 'params'>,
): string {
  const own = Object.entries(params).filter(([name, value]) => typeof value === 'number' && !EXITS.includes(name));
  return [strategyName(strategies, strategy), own.map(([, value]) => value).join('/')].join(' ').trim();
}

/** The common part of the call that reproduces a result. */
export function sharedBody(result: AnyResult): RunBody {
  const { strategy, rules, time_range, start_date, end_date, params, cost, cash, risk_free, adjust } = result;
  const { execute_on, commission_rate, min_commission, slippage_bps } = cost;
  const range = time_range === 'CUSTOM' ? { start: start_date } : { time_range };
  return {
    strategy,
    ...(rules === undefined ? {} : { rules }),
    ...range,
    end: end_date,
    execute_on,
    adjust,
    cost: costsOf({ commission_rate, min_commission, slippage_bps }),
    ...(cash === undefined ? {} : { cash: cashOf(cash) }),
    ...(risk_free === undefined ? {} : { risk_free }),
    params,
  };
}
