/** The job of an optimization. It evaluates the combinations in chunks, so that it can report progress and hear a cancellation. */
import { failRun, finishRunWithResult, startRun, updateRunProgress } from '../../db/backtests/backtest-runs.ts';
import { storedResult } from '../../db/backtests/run-results.ts';
import { type PricedRange, pricedRangeOf } from '../../engine/backtest/backtest.ts';
import { bestOf, type Evaluated, evaluate, expandGrid, heatMapOf } from '../../engine/backtest/optimize.ts';
import type { RunInput } from '../../engine/backtest/run-strategy.ts';
import {
  countWindows,
  holdsWindow,
  stitch,
  type WalkForwardRule,
  type WalkForwardStep,
  type WalkForwardWindow,
  walkForward,
} from '../../engine/backtest/walk-forward.ts';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/splice.ts';
import { strategyOf } from '../../engine/rules/strategy.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import { type Strategy, withDefaults } from '../../engine/strategies/strategy.ts';
import { isPermanent, type JobContext } from '../job-context.ts';
import { OBJECTIVE_METRICS, type OptimizeSpec, optimizeSpecSchema } from './contract.ts';
import { noteCodesOf } from './notes.ts';
import { noBarsFailure } from './range.ts';
import { equityJson, metricsView, percent } from './report.ts';
import { histories, ledgers } from './run.ts';
import { failureOf, fingerprintOf } from './run-kept.ts';
import { dataRangeOf, gapsOfSpec } from './summary.ts';

/** Combinations per chunk. */
const PIECE = 200;
/** The run is no longer wanted: it was canceled, or deleted with its account. */
class Unwanted extends Error {
  override readonly name = 'Unwanted';
}

/** A walk forward repeats the grid in each window. */
const EVALUATION_SHARE = 50;

export async function runOptimizeJob(context: JobContext, { runId }: { readonly runId: string }): Promise<void> {
  const { pool, now, isLastAttempt } = context;
  const run = await startRun(pool, runId, new Date(now()));
  if (!run) return;
  const { dataVersion } = run;
  try {
    const spec = optimizeSpecSchema.parse(run.order);
    const { backtest } = spec;
    const { asOf, listedOn, delistedOn } = backtest;
    const ledger = await ledgers.get(pool, dataVersion);
    const history = await histories.get(pool, backtest.instrumentId, asOf, dataVersion);
    const ranged = pricedRangeOf(backtest, { ...history, asOf, lifetime: { listedOn, delistedOn } });
    if (!ranged) {
      return await failRun(pool, runId, noBarsFailure(backtest, ledger), new Date(now()));
    }
    const { walkForward: rule } = spec;
    const bars = ranged.to - ranged.from;
    // The API has checked this, but the data may have changed since.
    if (rule !== null && !holdsWindow(bars, rule)) {
      const failure = { code: 'walk_forward_range', details: { needed: rule.trainBars + rule.testBars, bars } };
      return await failRun(pool, runId, failure, new Date(now()));
    }
    const result = storedResult(await optimize(context, runId, spec, ranged, ledger), {});
    const fingerprint = fingerprintOf(spec, dataVersion);
    await finishRunWithResult(pool, runId, { fingerprint, result, at: new Date(now()) });
  } catch (error) {
    if (error instanceof Unwanted) return;
    if (isLastAttempt || isPermanent(error)) await failRun(pool, runId, failureOf(error), new Date(now()));
    throw error;
  }
}

async function optimize(
  context: JobContext,
  runId: string,
  spec: OptimizeSpec,
  ranged: PricedRange,
  ledger: SessionLedger,
) {
  const { backtest, grid, objective, heatmap } = spec;
  const metric = OBJECTIVE_METRICS[objective];
  const strategy = withDefaults(strategyOf(backtest), backtest.params);
  const expanded = expandGrid(strategy, grid);
  if ('faults' in expanded) throw new Error(`the grid has a fault: ${JSON.stringify(expanded.faults)}`);
  const input: RunInput = { ...ranged, execution: backtest.execution };
  const share = spec.walkForward === null ? 100 : EVALUATION_SHARE;
  const evaluated = await evaluateInPieces(context, runId, input, strategy, expanded.combinations, share);
  const { series, from, to } = ranged;
  const gaps = gapsOfSpec(backtest, ranged, ledger);
  return {
    symbol: backtest.symbol,
    strategy: backtest.strategy,
    rules: backtest.rules,
    saved: backtest.saved,
    objective,
    start_date: formatDay(series.day[from]),
    end_date: formatDay(series.day[to - 1]),
    bars: to - from,
    data_range: dataRangeOf(series.day.subarray(from, to), gaps),
    note_codes: noteCodesOf(backtest, series.day[from] < CONSOLIDATED_FROM, gaps),
    combinations: evaluated.length,
    best: bestOf(evaluated, metric).map(({ params, metrics }) => ({ params, metrics: metricsView(metrics) })),
    heatmap: heatmap === null ? null : roundedMap(heatMapOf(evaluated, grid, heatmap, metric)),
    walk_forward:
      spec.walkForward &&
      (await walk(context, runId, { ...spec, walkForward: spec.walkForward }, input, strategy, expanded.combinations)),
  };
}

async function report(pool: JobContext['pool'], runId: string, progressPct: number): Promise<void> {
  if (!(await updateRunProgress(pool, runId, progressPct))) throw new Unwanted();
}

async function evaluateInPieces(
  { pool, signal }: JobContext,
  runId: string,
  input: RunInput,
  strategy: Strategy,
  combinations: readonly ParameterValues[],
  share: number,
): Promise<Evaluated[]> {
  const indicators = new IndicatorSet(input.series);
  const evaluated: Evaluated[] = [];
  for (let at = 0; at < combinations.length; at += PIECE) {
    signal.throwIfAborted();
    evaluated.push(...evaluate(input, strategy, combinations.slice(at, at + PIECE), indicators));
    await report(pool, runId, (share * evaluated.length) / combinations.length);
  }
  return evaluated;
}

function roundedMap(map: ReturnType<typeof heatMapOf>) {
  return { ...map, cells: map.cells.map((row) => row.map(percent)) };
}

async function walk(
  { pool, signal }: JobContext,
  runId: string,
  { objective, walkForward: rule }: OptimizeSpec & { readonly walkForward: WalkForwardRule },
  input: RunInput,
  strategy: Strategy,
  combinations: readonly ParameterValues[],
) {
  const total = countWindows(input.to - input.from, rule);
  const steps: WalkForwardStep[] = [];
  for (const step of walkForward(input, strategy, combinations, OBJECTIVE_METRICS[objective], rule)) {
    signal.throwIfAborted();
    steps.push(step);
    const done = steps.length / total;
    await report(pool, runId, EVALUATION_SHARE + (100 - EVALUATION_SHARE) * done);
  }
  const stitched = stitch(input, rule, steps);
  const { bars, metrics, efficiency } = stitched;
  return {
    start_date: formatDay(bars.day[0]),
    end_date: formatDay(bars.day[bars.length - 1]),
    ...metricsView(metrics),
    efficiency: percent(efficiency),
    windows: steps.map(({ window }) => reportWindow(window)),
    equity: JSON.parse(equityJson(stitched, input.execution.initialCapital)),
  };
}

function reportWindow(window: WalkForwardWindow) {
  return {
    train_start: formatDay(window.trainStart),
    train_end: formatDay(window.trainEnd),
    test_start: formatDay(window.testStart),
    test_end: formatDay(window.testEnd),
    params: window.params,
    train_objective: percent(window.trainObjective),
    test_pnl_pct: percent(window.testPnlPct),
  };
}
