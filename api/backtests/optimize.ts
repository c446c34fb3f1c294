/** Optimizations: from a grid of parameters to a queued job, and the state of the job. */

import type { Run } from '../../db/backtests/backtest-runs.ts';
import type { StoredResult } from '../../db/backtests/run-results.ts';
import type { OwnStrategy } from '../../db/research/own-strategies.ts';
import { MAX_COMBINATIONS } from '../../engine/backtest/optimize.ts';
import { countWindows, holdsWindow, type WalkForwardRule } from '../../engine/backtest/walk-forward.ts';
import { ServiceError } from '../../engine/errors.ts';
import { withDefaults } from '../../engine/strategies/strategy.ts';
import { OBJECTIVES, type OptimizeSpec } from '../../jobs/backtest/contract.ts';
import { countBars, noBarsFailure } from '../../jobs/backtest/range.ts';
import { type ReportedSearchStatistics, storedSelection } from '../../jobs/backtest/statistics.ts';
import type { BacktestSummary } from '../../jobs/backtest/summary.ts';
import { Accepted, JsonText } from '../http/answer/reply.ts';
import { z } from '../http/input/fields.ts';
import { RequestFailure } from '../http/input/request-failure.ts';
import type { Locale } from '../http/language/locale.ts';
import type { MarketView } from '../market/market-view.ts';
import { resolveStrategy, savedStrategyOf } from '../rules/resolve.ts';
import type { Services } from '../services.ts';
import { firstOf, fixedParameters, gridField, gridOf, refuse } from './grid.ts';
import { type BacktestCall, isBeingLoaded, isDone, ownRun } from './handlers.ts';
import { flatBody, specOf } from './request.ts';
import { OPTIMIZE_JOBS_PATH, requestRun } from './run.ts';
import { runError } from './run-failure.ts';
import type { jobSchema } from './schemas.ts';
import { sentencesOf } from './statistics-view.ts';
import { describeRange } from './view.ts';

const barCount = z.int().min(1).max(10_000);

export const optimizeBody = flatBody
  .pick({
    symbol: true,
    strategy: true,
    rules: true,
    time_range: true,
    start: true,
    end: true,
    execute_on: true,
    adjust: true,
    cost: true,
    include_statistics: true,
  })
  .extend({
    params: flatBody.shape.params.openapi({
      description: 'Parameters outside the grid; default: those of the strategy',
    }),
    grid: gridField.openapi({
      description:
        `Per parameter a list of values, or \`{from, to, step}\`. At least one parameter, and at most ${MAX_COMBINATIONS} ` +
        'combinations, of which the strategy must allow at least one',
      minProperties: 1,
    }),
    objective: z.enum(OBJECTIVES).default('sharpe'),
    heatmap: z
      .tuple([z.string(), z.string()])
      .optional()
      .openapi({ description: 'Two parameters of the grid to compare' }),
    walk_forward: z
      .strictObject({ train_bars: barCount, test_bars: barCount })
      .optional()
      .openapi({
        description:
          'Chooses the best parameters on `train_bars` bars, trades the next `test_bars` bars with them, moves ahead by ' +
          '`test_bars`, and repeats to the end of the range. The range must hold at least one whole window ' +
          '(`error.walk_forward_range`).',
      }),
  })
  .strict();

/** Maximum number of runs of a walk forward, over all its windows. */
const MAX_WALK_RUNS = 1_000_000;

/** Throws when the walk forward does not fit the bars of the range, or needs too many runs. */
function checkWalkForward(rule: WalkForwardRule, bars: number, combinations: number): void {
  if (!holdsWindow(bars, rule)) {
    const details = { needed: rule.trainBars + rule.testBars, bars };
    const problem = { code: 'grid_window_too_long', details } as const;
    const at = { loc: ['body', 'walk_forward'], type: 'walk_forward_range', problem };
    throw new RequestFailure('walk_forward_range', [at], details);
  }
  if (countWindows(bars, rule) * combinations > MAX_WALK_RUNS) {
    refuse(['body', 'walk_forward'], { code: 'grid_too_many_windows' });
  }
}

function optimizeSpecOf(
  body: z.output<typeof optimizeBody>,
  market: MarketView,
  own: OwnStrategy | null,
): OptimizeSpec & { count: number } {
  const { symbol, start, end, execute_on, adjust, cost, time_range, heatmap = null, walk_forward } = body;
  const include = { klines: false, trades: false, equity: false };
  const given = { ...firstOf(body.grid), ...body.params };
  const { strategy, rules, saved } = resolveStrategy(body.strategy, body.rules, given, own);
  const fixed = fixedParameters(strategy, body.params ?? {}, ['body', 'params']);
  const backtest = specOf(
    {
      symbol,
      rules: body.rules,
      strategy: body.strategy,
      start,
      end,
      adjust,
      cost,
      include,
      params: {},
      save: false,
      timeRange: time_range,
      executeOn: execute_on,
      venueMode: undefined,
      includeStatistics: body.include_statistics,
    },
    { rules, saved, params: fixed },
    market,
  );
  if (Object.keys(body.grid).length === 0) refuse(['body', 'grid'], { code: 'grid_empty' });
  const { grid, count } = gridOf(withDefaults(strategy, fixed), body.grid, ['body', 'grid']);
  const unknown = heatmap?.find((name) => !Object.hasOwn(grid, name));
  if (unknown !== undefined) refuse(['body', 'heatmap'], { code: 'grid_lacks_name', details: { name: unknown } });
  if (heatmap && heatmap[0] === heatmap[1]) refuse(['body', 'heatmap'], { code: 'grid_name_twice' });
  return {
    backtest,
    grid,
    objective: body.objective,
    heatmap,
    walkForward: walk_forward ? { trainBars: walk_forward.train_bars, testBars: walk_forward.test_bars } : null,
    count,
  };
}

export async function queueOptimize(call: BacktestCall, body: z.output<typeof optimizeBody>): Promise<Accepted> {
  const { services, context, caller } = call;
  const { pool, market } = services;
  const { count, ...spec } = optimizeSpecOf(body, market, await savedStrategyOf(call, body.rules));
  const bars = await countBars(pool, spec.backtest);
  if (bars === 0) {
    const { code, details } = noBarsFailure(spec.backtest, market.historyLedger);
    throw new ServiceError(code, details);
  }
  if (spec.walkForward !== null) checkWalkForward(spec.walkForward, bars, count);
  const run = await requestRun(services, context, caller, { kind: 'optimize', spec, save: false, isAsync: true });
  const location = `${OPTIMIZE_JOBS_PATH}/${run.id}`;
  const job: z.input<typeof jobSchema> = { job_id: run.id, status: run.status, location };
  return new Accepted(location, job);
}

export async function optimizeState(call: BacktestCall, jobId: string, waitSeconds: number): Promise<JsonText> {
  const run = await ownRun(call, 'optimize', jobId, waitSeconds);
  const error = runError(run, call.context.locale);
  const result = isDone(run) ? inLanguage(run, call.services, call.context.locale) : null;
  const state = { job_id: run.id, status: run.status, progress_pct: run.progressPct, error, result };
  return new JsonText(JSON.stringify(state));
}

type StoredSearch = Partial<Pick<BacktestSummary, 'note_codes' | 'data_range' | 'selection_basis'>> & {
  readonly statistics?: ReportedSearchStatistics;
};

/** A stored result with its texts in a language. */
function inLanguage(run: Run & { readonly result: StoredResult }, services: Services, locale: Locale): object {
  const stored: StoredSearch = JSON.parse(run.result.summary);
  const { note_codes, data_range, statistics, selection_basis: _basis, ...figures } = stored;
  // The result of an older version.
  if (!note_codes || !data_range) return figures;
  const selection = storedSelection(run);
  return {
    ...figures,
    ...describeRange({ note_codes, data_range }, locale, isBeingLoaded(services)),
    statistics: statistics && { ...statistics, sentences: sentencesOf({ statistics, selection }, locale) },
    selection: selection ?? undefined,
  };
}
