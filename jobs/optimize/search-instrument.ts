/** The search of a grid on one instrument, in pieces, between which it reports progress and notices a cancellation. */
import { type PricedRange, pricedRangeOf } from '../../engine/backtest/backtest.ts';
import { bestOf, type Evaluated, evaluate, expandGrid, heatMapOf } from '../../engine/backtest/optimize.ts';
import { type RunInput, runStrategy } from '../../engine/backtest/simulate.ts';
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
import { sliceSeries } from '../../engine/market/series.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/venue-basis.ts';
import { holdingReturns } from '../../engine/portfolio/benchmark.ts';
import { strategyOf } from '../../engine/rules/strategy.ts';
import { returnsOf } from '../../engine/statistics/moments.ts';
import { SearchReturns, statisticsOfSearch } from '../../engine/statistics/search.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import { type Strategy, withDefaults } from '../../engine/strategies/strategy.ts';
import type { History } from '../backtest/history.ts';
import { BUY_HOLD, bareBasis, basisOfSearch, calendarDays, measureRun } from '../backtest/measured-run.ts';
import { dividendNotes, noteCodesOf } from '../backtest/notes.ts';
import { readOthers, referencedInstruments } from '../backtest/others.ts';
import { noBarsFailure } from '../backtest/range.ts';
import {
  type Computation,
  digestOfDataRead,
  optimizeForm,
  receiptOf,
  resultDigest,
  seedOf,
  specDigest,
} from '../backtest/receipt.ts';
import { equityJson, metricsView, percent } from '../backtest/report.ts';
import { histories, ledgers } from '../backtest/run.ts';
import { reportSearchStatistics } from '../backtest/statistics.ts';
import { dataRangeOf, gapsOfSpec } from '../backtest/summary.ts';
import { backtestSheet, readComparison } from '../backtest/tear-sheet.ts';
import { trialsOf } from '../backtest/trials.ts';
import { OBJECTIVE_METRICS, type OptimizeSpec } from '../contracts/optimize.ts';
import { reportProgress, type SearchContext, type Searched, type SearchOutcome, type SearchRun } from './search.ts';

/** Combinations per piece. */
const PIECE = 200;
/** Share of the progress for the grid, in percent, where a walk forward follows, which repeats it in each window. */
const EVALUATION_SHARE = 50;

export async function searchBacktest(
  context: SearchContext,
  { runId, dataVersion }: SearchRun,
  spec: OptimizeSpec,
): Promise<SearchOutcome> {
  const { pool, now } = context;
  const { backtest, walkForward: rule } = spec;
  const { asOf, listedOn, delistedOn } = backtest;
  const ledger = await ledgers.get(pool, dataVersion);
  const own = await histories.get(pool, backtest.instrumentId, asOf, dataVersion);
  const others = await readOthers(pool, backtest.others, asOf);
  const history = others === undefined ? own : { ...own, others };
  const ranged = pricedRangeOf(backtest, { ...history, asOf, lifetime: { listedOn, delistedOn } });
  if (!ranged) return { failure: noBarsFailure(backtest, ledger) };
  const bars = ranged.to - ranged.from;
  // The API has checked this, but the data may have changed since.
  if (rule !== null && !holdsWindow(bars, rule)) {
    return { failure: { code: 'walk_forward_range', details: { needed: rule.trainBars + rule.testBars, bars } } };
  }
  const computation = { dataVersion, at: new Date(now()) };
  return optimize(context, runId, spec, { ranged, history, ledger, computation });
}

interface SearchInput {
  readonly ranged: PricedRange;
  readonly history: History;
  readonly ledger: SessionLedger;
  readonly computation: Computation;
}

async function optimize(
  context: SearchContext,
  runId: string,
  spec: OptimizeSpec,
  { ranged, history, ledger, computation }: SearchInput,
): Promise<SearchOutcome> {
  const { backtest, grid, objective, heatmap } = spec;
  const metric = OBJECTIVE_METRICS[objective];
  const strategy = withDefaults(
    strategyOf(backtest, referencedInstruments(history.others, backtest.adjust)),
    backtest.params,
  );
  const expanded = expandGrid(strategy, grid);
  if ('refused' in expanded) throw new Error(`the grid has refused values: ${JSON.stringify(expanded.refused)}`);
  const { combinations } = expanded;
  const { series, from, to } = ranged;
  const input: RunInput = { ...ranged, execution: backtest.execution };
  const form = optimizeForm(spec);
  const specSha256 = specDigest(form);
  const { initialCapital } = backtest.execution;
  const returns = backtest.includeStatistics
    ? new SearchReturns(combinations.length, holdingReturns(series.close.subarray(from, to)), initialCapital)
    : null;
  const task: SearchTask = { runId, spec, input, strategy, combinations, returns, seed: seedOf(specSha256) };
  const evaluated = await evaluateInPieces(context, task);
  const best = bestOf(evaluated, metric);
  const { statistics, basis } = searchEvidence(task, best[0].params);
  const gaps = gapsOfSpec(backtest, ranged, ledger);
  const isMixed = series.day[from] < CONSOLIDATED_FROM;
  const walked = spec.walkForward && (await walk(context, { ...task, rule: spec.walkForward }));
  const unpaid = dividendNotes(backtest.adjust, history.events, series.day[from], series.day[to - 1]);
  const figures = {
    start_date: formatDay(series.day[from]),
    end_date: formatDay(series.day[to - 1]),
    bars: to - from,
    combinations: evaluated.length,
    best: best.map(({ params, metrics }) => ({ params, metrics: metricsView(metrics) })),
    heatmap: heatmap === null ? null : roundedMap(heatMapOf(evaluated, grid, heatmap, metric)),
    walk_forward: walked?.report ?? null,
    statistics,
  };
  const summary = {
    symbol: backtest.symbol,
    strategy: backtest.strategy,
    rules: backtest.rules,
    saved: backtest.saved,
    objective,
    ...figures,
    data_range: dataRangeOf(series.day.subarray(from, to), gaps),
    note_codes: [...noteCodesOf(backtest, isMixed, gaps), ...unpaid],
    receipt: receiptOf(specSha256, digestOfDataRead(backtest, history), resultDigest(figures), computation),
  };
  const searched: Searched = {
    summary,
    counted: {
      form,
      basis,
      trials: trialsOf(backtest, combinations),
      isWanted: statistics !== undefined,
      isRun: !spec.isOfNeighbors,
    },
  };
  if (walked === null || backtest.tearSheet === undefined) return searched;
  const comparison = await readComparison(context.pool, backtest.tearSheet, backtest);
  const made = backtestSheet(backtest, walked.outcome, comparison, task.seed);
  return 'failure' in made ? made : { ...searched, tearSheet: JSON.stringify(made.sheet) };
}

/** Statistics of the best combination and of the choice among all of them. */
function searchEvidence({ input, strategy, combinations, returns, seed }: SearchTask, params: ParameterValues) {
  if (returns === null) return { basis: bareBasis(combinations.length, input.to - input.from) };
  const bars = sliceSeries(input.series, input.from, input.to);
  const { equity } = runStrategy(strategy, params, input);
  const best = returnsOf(equity, input.execution.initialCapital);
  const found = statisticsOfSearch(returns, best, calendarDays(bars), seed);
  return {
    statistics: reportSearchStatistics(found, seed, combinations, BUY_HOLD),
    basis: basisOfSearch(returns, found),
  };
}

interface SearchTask {
  readonly runId: string;
  readonly spec: OptimizeSpec;
  readonly input: RunInput;
  readonly strategy: Strategy;
  readonly combinations: readonly ParameterValues[];
  /** Null: no statistics were requested. */
  readonly returns: SearchReturns | null;
  readonly seed: string;
}

async function evaluateInPieces(
  { pool, signal }: SearchContext,
  { runId, spec, input, strategy, combinations, returns }: SearchTask,
): Promise<Evaluated[]> {
  const share = spec.walkForward === null ? 100 : EVALUATION_SHARE;
  const indicators = new IndicatorSet(input.series);
  const evaluated: Evaluated[] = [];
  for (let at = 0; at < combinations.length; at += PIECE) {
    signal.throwIfAborted();
    const piece = combinations.slice(at, at + PIECE);
    evaluated.push(
      ...evaluate(input, strategy, piece, indicators, (run, i) => returns?.add(at + i, run.equity, run.trades)),
    );
    await reportProgress(pool, runId, (share * evaluated.length) / combinations.length);
  }
  return evaluated;
}

function roundedMap(map: ReturnType<typeof heatMapOf>) {
  return { ...map, cells: map.cells.map((row) => row.map(percent)) };
}

interface WalkTask {
  readonly rule: WalkForwardRule;
}

async function walk(
  { pool, signal }: SearchContext,
  { runId, spec: { objective }, input, strategy, combinations, returns, seed, rule }: SearchTask & WalkTask,
) {
  const total = countWindows(input.to - input.from, rule);
  const steps: WalkForwardStep[] = [];
  for (const step of walkForward(input, strategy, combinations, OBJECTIVE_METRICS[objective], rule)) {
    signal.throwIfAborted();
    steps.push(step);
    const done = steps.length / total;
    await reportProgress(pool, runId, EVALUATION_SHARE + (100 - EVALUATION_SHARE) * done);
  }
  const stitched = stitch(input, rule, steps);
  const { bars, run, metrics, efficiency } = stitched;
  const stitchedReturns = returnsOf(run.equity, input.execution.initialCapital);
  const market = { name: BUY_HOLD, returns: holdingReturns(bars.close) };
  const { statistics } = measureRun(stitchedReturns, market, calendarDays(bars), seed, returns !== null);
  const report = {
    start_date: formatDay(bars.day[0]),
    end_date: formatDay(bars.day[bars.length - 1]),
    ...metricsView(metrics),
    efficiency: percent(efficiency),
    statistics,
    windows: steps.map(({ window }) => reportWindow(window)),
    equity: JSON.parse(equityJson(stitched, input.execution.initialCapital)),
  };
  return { report, outcome: { bars, run, offset: input.from + rule.trainBars } };
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
