/** The search of a grid on one instrument, in pieces, between which it reports progress and notices a cancellation. */
import { isUnpriced, pricedRangeOf } from '../../engine/backtest/backtest.ts';
import { type Evaluated, evaluate, expandGrid } from '../../engine/backtest/optimize.ts';
import { type MarketColumns, ratesOn } from '../../engine/backtest/rates.ts';
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
import { heldPrices, sliceSeries } from '../../engine/market/series.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/venue-basis.ts';
import { holdingReturns } from '../../engine/portfolio/benchmark.ts';
import { strategyOf } from '../../engine/rules/strategy.ts';
import { returnsOf } from '../../engine/statistics/moments.ts';
import { SearchReturns } from '../../engine/statistics/search.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import { type Strategy, withDefaults } from '../../engine/strategies/strategy.ts';
import { partOfBacktest } from '../../engine/tear-sheet/inputs.ts';
import { OBJECTIVE_METRICS, type OptimizeSpec } from '../contracts/optimize.ts';
import { ledgers, referencedInstruments } from '../runs/history.ts';
import { BUY_HOLD, calendarDays, measureRun } from '../runs/measured-run.ts';
import { delistingNotes, dividendNotes } from '../runs/notes.ts';
import { digestOfDataRead } from '../runs/receipt.ts';
import { equityJson, metricsView, percent } from '../runs/report.ts';
import {
  reportProgress,
  type SearchContext,
  type SearchOutcome,
  type SearchRun,
  searchResult,
  seedOfSearch,
} from '../runs/search.ts';
import { readComparison, sheetOf } from '../runs/tear-sheet.ts';
import { BACKTEST, gapsOfSpec, readAt } from './kind.ts';
import { noBarsFailure } from './range.ts';

/** Combinations per piece. */
const PIECE = 200;
/** Share of the progress for the grid, in percent, where a walk forward follows, which repeats it in each window. */
const EVALUATION_SHARE = 50;

export async function searchBacktest(
  context: SearchContext,
  run: SearchRun,
  search: OptimizeSpec,
): Promise<SearchOutcome> {
  const { pool } = context;
  const { backtest: spec, walkForward: rule, isOfNeighbors, ...grid } = search;
  const { asOf, listedOn, delistedOn, execution, adjust } = spec;
  const ledger = await ledgers.get(pool, run.dataVersion);
  const history = await readAt(context, spec, run.dataVersion);
  const ranged = pricedRangeOf(spec, { ...history, asOf, lifetime: { listedOn, delistedOn } });
  if (!ranged) return { failure: noBarsFailure(spec, ledger) };
  const { series, from, to } = ranged;
  const bars = to - from;
  // The API has checked this, but the data may have changed since.
  if (rule !== null && !holdsWindow(bars, rule)) {
    return { failure: { code: 'walk_forward_range', details: { needed: rule.trainBars + rule.testBars, bars } } };
  }
  const strategy = withDefaults(strategyOf(spec, referencedInstruments(history.others, adjust)), spec.params);
  const expanded = expandGrid(strategy, grid.grid);
  if ('refused' in expanded) throw new Error(`the grid has refused values: ${JSON.stringify(expanded.refused)}`);
  const { combinations } = expanded;
  const form = formOf(search);
  const rates = ratesOn(series.day.subarray(from, to), spec, history.columns);
  const returns = spec.includeStatistics
    ? new SearchReturns(
        combinations.length,
        holdingReturns(heldPrices(sliceSeries(series, from, to))),
        execution.initialCapital,
        rates.riskFree,
      )
    : null;
  const input: RunInput = { ...ranged, execution, interest: rates.cash?.returns };
  const task: SearchTask = {
    runId: run.runId,
    search,
    input,
    strategy,
    combinations,
    returns,
    seed: seedOfSearch(form),
  };
  const evaluated = await evaluateInPieces(context, task);
  const walked = rule && (await walk(context, { ...task, rule, columns: history.columns }));
  const searched = await searchResult(context, run, {
    spec,
    grid,
    form,
    combinations,
    evaluated,
    returns,
    equityOf: (params) => runStrategy(strategy, params, input).equity,
    days: series.day.subarray(from, to),
    market: BUY_HOLD,
    rates,
    metricsView,
    walkForward: walked?.report ?? null,
    head: { symbol: spec.symbol },
    gaps: gapsOfSpec(spec, ranged, ledger),
    isMixed: series.day[from] < CONSOLIDATED_FROM,
    notes: [
      ...dividendNotes(adjust, history.events, series.day[from], series.day[to - 1]),
      ...delistingNotes(isUnpriced(ranged)),
    ],
    read: digestOfDataRead(spec, history),
    trials: BACKTEST.trials(spec, combinations),
  });
  const { counted } = searched;
  const ended = { ...searched, counted: counted && { ...counted, isRun: !isOfNeighbors } };
  if (walked === null || spec.tearSheet === undefined) return ended;
  const { outcome } = walked;
  const comparison = await readComparison(pool, spec.tearSheet, spec);
  const part = partOfBacktest(outcome, spec.symbol, execution);
  const made = sheetOf(part, heldPrices(outcome.bars), spec, comparison, task.seed);
  return 'failure' in made ? made : { ...ended, tearSheet: JSON.stringify(made.sheet) };
}

/** The complete specification of a search as it is digested. */
function formOf({ backtest, grid, objective, heatmap, walkForward }: OptimizeSpec) {
  const { params: _defaults, ...common } = BACKTEST.canonical(backtest);
  const walk_forward = walkForward && { train_bars: walkForward.trainBars, test_bars: walkForward.testBars };
  return { ...common, kind: 'optimize', grid, objective, heatmap, walk_forward };
}

interface SearchTask {
  readonly runId: string;
  readonly search: OptimizeSpec;
  readonly input: RunInput;
  readonly strategy: Strategy;
  readonly combinations: readonly ParameterValues[];
  /** Null: no statistics were requested. */
  readonly returns: SearchReturns | null;
  readonly seed: string;
}

async function evaluateInPieces(
  { pool, signal }: SearchContext,
  { runId, search, input, strategy, combinations, returns }: SearchTask,
): Promise<Evaluated[]> {
  const share = search.walkForward === null ? 100 : EVALUATION_SHARE;
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

interface WalkTask {
  readonly rule: WalkForwardRule;
  readonly columns: MarketColumns | undefined;
}

async function walk(
  { pool, signal }: SearchContext,
  { runId, search, input, strategy, combinations, returns, seed, rule, columns }: SearchTask & WalkTask,
) {
  const { backtest, objective } = search;
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
  const market = { name: BUY_HOLD, returns: holdingReturns(heldPrices(bars)) };
  const rates = ratesOn(bars.day, backtest, columns);
  const measuring = { seed, days: calendarDays(bars), isWanted: returns !== null };
  const { statistics } = measureRun(stitchedReturns, market, rates.riskFree, measuring);
  const report = {
    start_date: formatDay(bars.day[0]),
    end_date: formatDay(bars.day[bars.length - 1]),
    ...metricsView(metrics),
    efficiency: percent(efficiency),
    statistics,
    windows: steps.map(({ window }) => reportWindow(window)),
    equity: JSON.parse(equityJson(stitched, input.execution.initialCapital)),
  };
  return { report, outcome: { bars, run, rates, offset: input.from + rule.trainBars } };
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
