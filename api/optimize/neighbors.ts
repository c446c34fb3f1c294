/** A backtest with neighboring values of one of its parameters: `/v1/backtest/neighbors`. */
import { neighboringValues } from '../../engine/backtest/optimize.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import { storedSelection } from '../../jobs/runs/statistics.ts';
import { flatBody } from '../backtests/request.ts';
import { z } from '../http/input/fields.ts';
import { unknownName } from '../http/input/problems.ts';
import { refuse } from '../http/input/request-failure.ts';
import { ownResearchOf, resolveStrategy } from '../rules/resolve.ts';
import { figure, parameterSchema } from '../runs/schemas.ts';
import type { DoneRun } from '../runs/state.ts';
import type { ScreenCall } from '../screener/services.ts';
import { fixedParameters } from './grid.ts';
import { searchSpecOf } from './request.ts';

export const neighborsBody = flatBody
  .pick({
    symbol: true,
    strategy: true,
    rules: true,
    time_range: true,
    start: true,
    end: true,
    params: true,
    execute_on: true,
    adjust: true,
    cost: true,
    risk_free: true,
    cash: true,
  })
  .extend({ vary: z.string().max(64).meta({ description: 'The parameter whose values are tried' }) })
  .strict();

type NeighborsBody = z.output<typeof neighborsBody>;

export const neighborsSchema = z
  .object({
    param: z.string(),
    values: z
      .array(z.object({ value: parameterSchema, sharpe: figure, total_pnl_pct: z.number(), num_trades: z.int() }))
      .meta({ description: 'At most ten, ascending, the chosen one among them' }),
    trials: z.int().nullable().meta({
      description: 'Combinations that the account has tried with this strategy on this instrument, these included',
    }),
  })
  .meta({ id: 'NeighborsOfBacktest' });

/** The search of one parameter around its value. */
export async function neighborsSpecOf(call: ScreenCall, { vary, params = {}, ...body }: NeighborsBody) {
  const { strategy } = resolveStrategy(body.strategy, body.rules, params, await ownResearchOf(call, body.rules));
  const known = Object.keys(strategy.parameters);
  if (!known.includes(vary)) refuse(['body', 'vary'], unknownName(vary, known));
  const { [vary]: chosen, ...fixed } = fixedParameters(strategy, params, ['body', 'params']);
  const grid = { [vary]: neighboringValues(strategy.parameters[vary], chosen) };
  const spec = await searchSpecOf(call, {
    ...body,
    params: fixed,
    grid,
    objective: 'sharpe',
    include_statistics: true,
    skip_unknown: false,
    tear_sheet: false,
  });
  return { ...spec, isOfNeighbors: true };
}

interface StoredBest {
  readonly best: readonly {
    readonly params: ParameterValues;
    readonly metrics: { readonly sharpe: number | null; readonly total_pnl_pct: number; readonly num_trades: number };
  }[];
}

/** The figures of each value, in the order of the values. */
export function neighborsOf(run: DoneRun, param: string): z.input<typeof neighborsSchema> {
  const { best }: StoredBest = JSON.parse(run.result.summary);
  const values = best.map(({ params, metrics: { sharpe, total_pnl_pct, num_trades } }) => ({
    value: params[param],
    sharpe,
    total_pnl_pct,
    num_trades,
  }));
  const trials = storedSelection(run)?.trials ?? null;
  return { param, values: values.sort((a, b) => Number(a.value) - Number(b.value)), trials };
}
