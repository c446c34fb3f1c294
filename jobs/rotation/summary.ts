/** The result of a finished rotation: its summary, which has no text in a language, and its long parts. */
import { createHash } from 'node:crypto';
import { type StoredResult, storedResult } from '../../db/runs/run-results.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { gapsOf, type HistoryGaps } from '../../engine/market/history-gaps.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/venue-basis.ts';
import { rotationRules } from '../../engine/rotation/rules.ts';
import { returnsOf } from '../../engine/statistics/moments.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import { keysOf } from '../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { measureRun } from '../backtest/measured-run.ts';
import { evidenceNotes, noteCodesOf } from '../backtest/notes.ts';
import {
  type Computation,
  type DataRead,
  dataDigest,
  dataRead,
  receiptOf,
  resultDigest,
  seedOf,
  specDigest,
  tradingForm,
} from '../backtest/receipt.ts';
import { costView, dataRangeOf, freshnessView } from '../backtest/summary.ts';
import { type Trials, trialsIn } from '../backtest/trials.ts';
import type { RotationSpec } from '../contracts/rotation.ts';
import { marketOf } from '../portfolio/evidence.ts';
import { portfolioMetricsView, positionSummaryView } from '../portfolio/report.ts';
import { doubtsOfRun } from '../portfolio/summary.ts';
import { rotationNotes, survivorsOf } from './notes.ts';
import { benchmarkView, gapOf, rotationParts, rotationView, universeView } from './report.ts';
import type { RotationData, RotationOutcome } from './run.ts';

/** The complete specification as it is digested, with rules in their canonical form. */
export function rotationForm(spec: RotationSpec, engineVersion = ENGINE_VERSION) {
  return {
    kind: 'rotation',
    ...tradingForm({ ...spec, rules: undefined }, engineVersion),
    universe: universeView(spec),
    rotation: rotationView(spec),
    expressions: rotationRules(spec.texts).expressions,
    cash_buffer_pct: spec.cashBufferPct,
    benchmark: benchmarkView(spec),
    survivors: spec.survivors,
  };
}

/** Digest of a text with a line `symbol digest` for each member, by ticker, then for the benchmark and the other instruments. */
export function rotationDataDigest(spec: RotationSpec, { universe, others, single }: RotationData): string {
  const hash = createHash('sha256');
  for (const { instrument, digest } of universe.members) hash.update(`${instrument.symbol} ${digest}\n`);
  if (single) hash.update(`${benchmarkView(spec)} ${single.digest}\n`);
  for (const [ticker, other] of others ?? []) hash.update(`${ticker} ${dataDigest(dataRead(spec, other))}\n`);
  return hash.digest('hex');
}

/** The data that a rotation has read. */
export function rotationDataRead(spec: RotationSpec, data: RotationData): DataRead {
  const { members, clock } = data.universe;
  const first = members.reduce((day, { days }) => Math.min(day, days[0]), clock[0]);
  return { sha256: rotationDataDigest(spec, data), days: [first, clock[clock.length - 1]] };
}

/** Rotations of one universe and schedule count together; they differ in rules, weights, and parameters. */
export function trialsOfRotation(spec: RotationSpec, combinations: readonly ParameterValues[]): Trials {
  const { adjust, execution, strategy } = spec;
  const forms = combinations.map((params) => ({
    rotation: rotationView(spec),
    where: spec.texts.where ?? null,
    params,
  }));
  const { where: _where, ...universe } = universeView(spec);
  return trialsIn({ universe, strategy, adjust, execution }, forms);
}

/** `survivors`: the same rotation on the members that have a bar on the last session; null: it was not asked for. */
export function rotationResult(
  spec: RotationSpec,
  data: RotationData,
  outcome: RotationOutcome,
  survivors: RotationOutcome | null,
  ledger: SessionLedger,
  computation: Computation,
): StoredResult {
  const { universe, panel, run, metrics } = outcome;
  const { clock, members } = universe;
  const parts = rotationParts(spec, outcome, survivors);
  const specSha256 = specDigest(rotationForm(spec));
  const seed = seedOf(specSha256);
  const returns = returnsOf(run.equity, spec.execution.initialCapital);
  const [first, last] = [clock[0], clock[clock.length - 1]];
  const measured = measureRun(returns, marketOf(spec, outcome), last - first, seed, spec.includeStatistics);
  const { statistics, minTrackRecordBars, basis } = measured;
  const range = { start_date: formatDay(first), end_date: formatDay(last) };
  const view = portfolioMetricsView(metrics);
  const positions = positionSummaryView(run);
  const digested = resultDigest({ ...range, metrics: view, statistics: statistics ?? null }, parts);
  const gaps = gapsOfRotation(spec, outcome, ledger);
  const dealt = doubtsOfRun(spec, clock, run, (i) => panel.members[i].traded);
  const doubts = { ...dealt, ...survivorsOf(universe) };
  const summary = {
    kind: 'portfolio',
    symbols: symbolsOf(spec, outcome),
    symbols_without_bars: withoutBars(spec, outcome),
    members: members.length,
    time_range: spec.start === null ? spec.timeRange : 'CUSTOM',
    strategy: spec.strategy,
    engine_version: ENGINE_VERSION,
    venue_mode: 'consolidated',
    adjust: spec.adjust,
    ...range,
    ...view,
    position_summary: positions,
    params: spec.params,
    cost: costView(spec),
    universe: universeView(spec),
    rotation: rotationView(spec),
    cash_buffer_pct: spec.cashBufferPct,
    benchmark: benchmarkView(spec),
    rebalance_count: run.rebalances.length,
    survivorship_gap: survivors === null ? undefined : gapOf(metrics, survivors.metrics),
    skipped_symbols: spec.universe.skipped ?? undefined,
    data_range: dataRangeOf(clock, gaps),
    data_freshness: freshnessView(spec),
    note_codes: [
      ...noteCodesOf(spec, first < CONSOLIDATED_FROM, gaps),
      ...rotationNotes(spec, outcome),
      ...evidenceNotes({ ...metrics, numTrades: positions.closed }, clock.length, minTrackRecordBars),
      ...keysOf(doubts),
    ],
    note_details: doubts,
    statistics,
    receipt: receiptOf(specSha256, rotationDataRead(spec, data), digested, computation),
    selection_basis: basis,
  };
  return storedResult(summary, parts);
}

/** The symbols that were listed, or else those that were held. */
function symbolsOf({ universe }: RotationSpec, { panel, run }: RotationOutcome): string[] {
  if (universe.instruments !== null) return universe.instruments.map(({ symbol }) => symbol);
  const held = new Set(run.trades.map(({ instrument }) => instrument));
  return [...held].sort((a, b) => a - b).map((member) => panel.members[member].symbol);
}

function withoutBars(spec: RotationSpec, { panel }: RotationOutcome): string[] {
  const members = new Set(panel.members.map(({ symbol }) => symbol));
  return (spec.universe.instruments ?? []).map(({ symbol }) => symbol).filter((symbol) => !members.has(symbol));
}

/** Missing sessions of the whole universe. Bars that single members lack are not counted. */
export function gapsOfRotation(
  { end, asOf }: RotationSpec,
  { universe }: RotationOutcome,
  ledger: SessionLedger,
): HistoryGaps {
  const lifetime = { listedOn: null, delistedOn: null };
  return gapsOf({ ledger, end, asOf, lifetime, days: universe.clock, start: universe.start, reasons: [] });
}
