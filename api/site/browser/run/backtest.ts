/** Backtests as pages make and show them. */
import { day, t } from '../text.ts';
import type { BacktestResult } from '../types.ts';
import { type RunBody, type RunKind, sharedBody, strategyName } from './kind.ts';
import { literal, parametersIn, type Settings } from './settings.ts';

export interface BacktestBody extends RunBody {
  readonly symbol: string;
  /** With the strategy `rules`. */
  readonly rules?: Readonly<Partial<Record<string, string>>>;
}

const COSTS = ['commission_rate', 'min_commission', 'slippage_bps'] as const;
const PLAIN = ['symbol', 'strategy', 'time_range', 'start', 'end', 'execute_on', 'adjust'] as const;

/** A call in the address of the page: a link runs it again. */
export function queryOf(body: BacktestBody): string {
  const query = new URLSearchParams();
  for (const name of PLAIN) if (body[name]) query.set(name, body[name]);
  for (const name of COSTS) if (body.cost?.[name]) query.set(name, String(body.cost[name]));
  for (const [name, value] of Object.entries(body.params ?? {})) query.set(`p.${name}`, String(value));
  return query.toString();
}

/** The call that an address names; the form fills in the rest. */
export function bodyIn(settings: Settings): BacktestBody {
  const { symbol, strategy = 'chandelier', time_range = '5Y', start, end, execute_on, adjust } = settings;
  const costs = COSTS.filter((name) => settings[name] !== undefined).map((name) => [name, Number(settings[name])]);
  const params = Object.entries(parametersIn(settings)).map(([name, value]) => [name, literal(value)]);
  const range = start === undefined ? { time_range } : { start };
  return {
    ...range,
    symbol,
    strategy,
    end,
    execute_on,
    adjust,
    cost: costs.length === 0 ? undefined : Object.fromEntries(costs),
    params: Object.fromEntries(params),
  };
}

export const BACKTEST: RunKind<BacktestBody, BacktestResult> = {
  page: '/backtest',
  heading: t('page.backtest'),
  needsKey: false,
  api: {
    run: '/v1/backtest',
    kept: '/api/backtest/{id}',
    share: '/api/backtest/{id}/share',
    shared: '/api/backtest/shared/{slug}',
    evidence: '/v1/backtests/{id}',
  },
  subject: ({ symbol }) => symbol,
  title: ({ symbol, strategy, start_date, end_date }, strategies) =>
    t('run.title', {
      symbol,
      strategy: strategyName(strategies, strategy),
      start: day(start_date),
      end: day(end_date),
    }),
  bodyOf: (result) => ({ ...sharedBody(result), symbol: result.symbol }),
  queryOf: (body) => `${queryOf(body)}&run=1`,
};
