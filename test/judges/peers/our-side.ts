/** Our side in a process of its own: what a worker computes for a backtest, and for a chunk of a sweep. */
import '../../../ops/node-version.cjs';
import { createInterface } from 'node:readline';
import { type BacktestInput, type BacktestSettings, runBacktest } from '../../../engine/backtest/backtest.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { allocateSeries, VALUE_COLUMNS } from '../../../engine/market/series.ts';
import { effectiveParameters, requireStrategy } from '../../../engine/strategies/catalogue.ts';
import { CellBlock, fillInstrument, type SweepRun } from '../../../engine/sweep/cells.ts';
import { required } from '../../../engine/util/values.ts';
import { countCombinations } from '../../../jobs/sweep/stored-sweep.ts';
import type { SeriesJson } from '../truth/sample-series.ts';
import type { Question, Result, Run, Work } from './runs.ts';

const CASH = 100_000;
let instruments: readonly BacktestInput[] = [];

function inputOf(bars: SeriesJson): BacktestInput {
  const series = allocateSeries(bars.day.length);
  for (const name of VALUE_COLUMNS) series[name].set(bars[name]);
  series.day.set(bars.day.map(requireDay));
  const asOf = series.day[series.length - 1];
  return { series, asOf, events: [], lifetime: { listedOn: null, delistedOn: null } };
}

function valuesOf({ strategy, params }: Pick<Run, 'strategy' | 'params'>) {
  const effective = effectiveParameters(requireStrategy(strategy), params);
  if ('refused' in effective) throw new Error(JSON.stringify(effective.refused));
  return effective.values;
}

function settingsOf({ strategy, params, commission, fill }: Run): BacktestSettings {
  const execution = {
    executeOn: fill,
    commissionRate: commission,
    minCommission: 0,
    slippageBps: 0,
    initialCapital: CASH,
  };
  const range = { timeRange: 'MAX', start: null, end: null, adjust: 'none' } as const;
  return { strategy, params: valuesOf({ strategy, params }), ...range, execution };
}

function resultOf(run: Run, input: BacktestInput): Result {
  const { run: simulation, metrics } = required(runBacktest(settingsOf(run), input));
  const trades = simulation.trades.map(
    ({ entryIndex, exitIndex, entryPrice, exitPrice }) => [entryIndex, exitIndex, entryPrice, exitPrice] as const,
  );
  return { trades, totalReturn: metrics.finalEquity / CASH - 1 };
}

/** The cells of some instruments, by the function that computes the chunks of a sweep. */
function sweep(settings: BacktestSettings, inputs: readonly BacktestInput[], runs: readonly SweepRun[]): CellBlock {
  const block = new CellBlock(inputs.length, countCombinations(runs));
  for (const [place, input] of inputs.entries()) fillInstrument(block, place, settings, input, runs);
  return block;
}

/** The strategies as runs of a sweep, one combination each. */
function sweepRuns(runs: readonly Run[]): SweepRun[] {
  return runs.map((run) => ({ strategy: requireStrategy(run.strategy), combinations: [valuesOf(run)] }));
}

function perform(work: Work): void {
  if (work.what === 'run') {
    for (let i = 0; i < work.times; i++) runBacktest(settingsOf(work.run), instruments[0]);
  } else if (work.what === 'grid') {
    const { run } = work;
    const combinations = work.combinations.map((params) => valuesOf({ ...run, params }));
    sweep(settingsOf(run), instruments.slice(0, 1), [{ strategy: requireStrategy(run.strategy), combinations }]);
  } else {
    // Costs are settings of a sweep: those of equal costs are one sweep.
    for (const [, runs] of Map.groupBy(work.runs, ({ commission }) => commission))
      sweep(settingsOf(runs[0]), instruments.slice(0, work.instruments), sweepRuns(runs));
  }
}

function answerTo(question: Question): unknown {
  switch (question.ask) {
    case 'load':
      instruments = question.instruments.map(inputOf);
      return null;
    case 'trades':
      return instruments.map((input) => resultOf(question.run, input));
    case 'time': {
      const start = performance.now();
      perform(question);
      return performance.now() - start;
    }
    case 'memory':
      // In kilobytes.
      return process.resourceUsage().maxRSS / 1024;
  }
}

const write = (value: object) => void process.stdout.write(`${JSON.stringify(value)}\n`);
write({ version: '' });
for await (const line of createInterface({ input: process.stdin })) {
  try {
    write({ answer: answerTo(JSON.parse(line)) });
  } catch (error) {
    write({ error: error instanceof Error ? error.stack : String(error) });
  }
}
