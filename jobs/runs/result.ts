/** The result of a run of any kind: figures, statistics, notes, receipt, and long parts. It has no text in a language. */
import type { Queryable } from '../../db/pool.ts';
import { type StoredResult, storedResult } from '../../db/runs/run-results.ts';
import { interestOf } from '../../engine/backtest/rates.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { returnsOf } from '../../engine/statistics/moments.ts';
import { ResampledPaths } from '../../engine/tear-sheet/chance.ts';
import { keysOf, required } from '../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { Comparison, RunSpec } from '../contracts/backtest.ts';
import type { Failed, MeasuredKind, RunOutcome, RunReport } from './kind.ts';
import { measureRun } from './measured-run.ts';
import { evidenceNotes, noteCodesOf } from './notes.ts';
import { type ColumnView, viewColumns } from './own-columns.ts';
import { interestView, rateNotes, ratesView } from './rates.ts';
import { type Computation, receiptOf, resultDigest, seedOf, specDigest } from './receipt.ts';
import { costView, dataRangeOf, freshnessView } from './summary.ts';
import { type MadeSheet, readComparison, sheetOf } from './tear-sheet.ts';

interface MeasuredResult extends StoredResult {
  /** The paths of the resamples that the statistics drew; absent: no tear sheet was requested. */
  readonly paths?: ResampledPaths;
}

export function resultOf<Spec extends RunSpec, Data extends object, Outcome extends RunOutcome>(
  kind: Pick<MeasuredKind<Spec, Data, Outcome>, 'canonical'>,
  spec: Spec,
  { rates, run }: Pick<Outcome, 'rates' | 'run'>,
  { days, equity, market, head, fields, metrics, positions, gaps, isMixed, parts, ...report }: RunReport,
  computation: Computation,
  columns?: readonly ColumnView[],
): MeasuredResult {
  const doubts = { ...report.doubts, ...rateNotes(spec, rates) };
  const specSha256 = specDigest(kind.canonical(spec));
  const [first, last] = [days[0], days[days.length - 1]];
  const { initialCapital } = spec.execution;
  const returns = returnsOf(equity, initialCapital);
  const interest = interestView(interestOf(rates, run.interest, days, run.equity));
  const paths = spec.tearSheet && new ResampledPaths(returns, initialCapital);
  const measured = measureRun(returns, market, rates.riskFree, {
    days: last - first,
    seed: seedOf(specSha256),
    isWanted: spec.includeStatistics,
    taker: paths,
  });
  const { statistics, minTrackRecordBars, basis } = measured;
  const range = { start_date: formatDay(first), end_date: formatDay(last) };
  const figures = { ...range, metrics, statistics: statistics ?? null };
  const traded = { numTrades: positions?.closed ?? metrics.num_trades, annualizedPct: metrics.annualized_pct };
  const summary = {
    ...head,
    time_range: spec.start === null ? spec.timeRange : 'CUSTOM',
    strategy: spec.strategy,
    rules: spec.rules,
    saved: spec.saved,
    engine_version: ENGINE_VERSION,
    venue_mode: 'consolidated',
    adjust: spec.adjust,
    ...range,
    ...metrics,
    position_summary: positions,
    params: spec.params,
    columns,
    cost: costView(spec),
    ...ratesView(spec),
    interest,
    ...fields,
    data_range: dataRangeOf(days, gaps),
    data_freshness: freshnessView(spec),
    note_codes: [
      ...noteCodesOf(spec, isMixed, gaps),
      ...report.notes,
      ...evidenceNotes(traded, days.length, minTrackRecordBars),
      ...(report.choice ?? []),
      ...keysOf(doubts),
    ],
    note_details: doubts,
    statistics,
    receipt: receiptOf(specSha256, report.read, resultDigest(figures, parts, report.digests), computation),
    selection_basis: basis,
    ...report.hidden,
  };
  return { ...storedResult(summary, parts), paths };
}

/** The tear sheet of an outcome. */
export async function tearSheetOfRun<Spec extends RunSpec, Data extends object, Outcome extends RunOutcome>(
  db: Queryable,
  kind: MeasuredKind<Spec, Data, Outcome>,
  spec: Spec,
  outcome: Outcome,
  comparison: Comparison,
  paths?: ResampledPaths,
): Promise<MadeSheet> {
  const seed = seedOf(specDigest(kind.canonical(spec)));
  const { part, held } = await required(kind.sheet, 'a tear sheet')(spec, outcome, seed);
  return sheetOf({ ...part, paths }, held, spec, await readComparison(db, comparison, spec), seed);
}

/** The result of a specification on its data, with the tear sheet that it asks for. */
export async function computeResult<Spec extends RunSpec, Data extends object, Outcome extends RunOutcome>(
  db: Queryable,
  kind: MeasuredKind<Spec, Data, Outcome>,
  spec: Spec,
  data: Data,
  ledger: SessionLedger,
  computation: Computation,
): Promise<StoredResult | Failed> {
  const outcome = await kind.compute(spec, data, ledger);
  if ('failure' in outcome) return outcome;
  const report = kind.report(spec, data, outcome, ledger);
  const { instrumentIds, days } = report;
  const columns = spec.columns && (await viewColumns(db, spec.columns, instrumentIds, report.columns, days));
  const { paths, ...result } = resultOf(kind, spec, outcome, report, computation, columns);
  if (spec.tearSheet === undefined) return result;
  const made = await tearSheetOfRun(db, kind, spec, outcome, spec.tearSheet, paths);
  return 'failure' in made ? made : { ...result, tearSheet: JSON.stringify(made.sheet) };
}
