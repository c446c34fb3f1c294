/** Rotations as a kind of run: the best of a universe, held by a schedule; kept ones on the data of today, and their proof. */
import type { KeptRun } from '../../db/runs/kept-runs.ts';
import { adjustToLastBar } from '../../engine/market/adjust.ts';
import { gapsOf, type HistoryGaps } from '../../engine/market/history-gaps.ts';
import { EMPTY_SERIES, sliceSeries } from '../../engine/market/series.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/venue-basis.ts';
import { type ProvedRotation, proveRotationPrefixes } from '../../engine/rotation/look-ahead.ts';
import { marketValues } from '../../engine/rotation/panel.ts';
import { rotationPrograms, rotationRules } from '../../engine/rotation/rules.ts';
import { partOfPortfolio, type RunPart } from '../../engine/tear-sheet/inputs.ts';
import { areTooLong, randomSets, scoredMembers } from '../../engine/tear-sheet/random-sets.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { type RotationSpec, rotationSpecSchema, universeView } from '../contracts/rotation.ts';
import { doubtsOfRun } from '../portfolio/facts.ts';
import {
  marketOf,
  openRun,
  PORTFOLIO_METRIC_NAMES,
  portfolioMetricsView,
  positionSummaryView,
} from '../portfolio/report.ts';
import { referencedInstruments } from '../runs/history.ts';
import type { Failed, KeptData, MeasuredKind, Proof, ReadContext, RunReport } from '../runs/kind.ts';
import { columnsOf, readIds } from '../runs/own-columns.ts';
import { runProof } from '../runs/proof.ts';
import { type DataRead, tradingForm } from '../runs/receipt.ts';
import { presentOthers, withPresentId, withPresentIds } from '../runs/recompute.ts';
import { trialsIn } from '../runs/trials.ts';
import { universeDataRead } from './data-read.ts';
import { universeDifferences } from './differences.ts';
import { KEPT_LIMITS, keptLimits } from './histories.ts';
import {
  benchmarkView,
  gapOf,
  reportedRotation,
  rotationNotes,
  rotationParts,
  rotationView,
  survivorsOf,
} from './report.ts';
import {
  computeRotation,
  type RotationData,
  type RotationOutcome,
  readRotation,
  readRotationAt,
  scheduleOf,
} from './run.ts';

/** `survivors`: the same rotation on the members that have a bar on the last session; null: it was not asked for. */
export type WithSurvivors = RotationOutcome & { readonly survivors: RotationOutcome | null };

export const ROTATION: MeasuredKind<RotationSpec, RotationData, WithSurvivors> = {
  spec: rotationSpecSchema,
  canonical: (spec, engineVersion = ENGINE_VERSION) => ({
    kind: 'rotation',
    ...tradingForm(spec, engineVersion),
    universe: universeView(spec),
    rotation: rotationView(spec),
    expressions: rotationRules(spec.texts).expressions,
    cash_buffer_pct: spec.cashBufferPct,
    benchmark: benchmarkView(spec),
    survivors: spec.survivors,
  }),
  digest: (spec, data) => rotationDataRead(spec, data).sha256,
  /** Rotations of one universe and schedule count together; they differ in rules, weights, and parameters. */
  trials: (spec, combinations) => {
    const { adjust, execution, strategy } = spec;
    const { where = null, ...universe } = universeView(spec);
    const forms = combinations.map((params) => ({ rotation: rotationView(spec), where, params }));
    return trialsIn({ universe, strategy, adjust, execution }, forms);
  },
  read: (context, spec, dataVersion) => readRotationAt(context, spec, dataVersion, keptLimits(context.rotationBars)),
  compute: async (spec, data) => {
    const outcome = await computeRotation(spec, data);
    if ('failure' in outcome) return outcome;
    const survivors = spec.survivors ? await computeSurvivors(spec, data) : null;
    return survivors && 'failure' in survivors ? survivors : { ...outcome, survivors };
  },
  report,
  goOn: async (spec, data, ahead) => {
    const outcome = await computeRotation(spec, { ...data, universe: data.universe.withSessionAhead(ahead) });
    if ('failure' in outcome) return outcome;
    const { panel, market, run, universe } = outcome;
    return openRun((member) => panel.members[member].symbol, { clock: universe.clock, market }, run);
  },
  sheet: async (spec, outcome, seed) => ({ part: await sheetPart(spec, outcome, seed), held: outcome.benchmark }),
  readKept: readKeptRotation,
  readsMarket: true,
  metricNames: PORTFOLIO_METRIC_NAMES,
  prove: proveRotation,
};

export function computeSurvivors(spec: RotationSpec, data: RotationData): Promise<RotationOutcome | Failed> {
  return computeRotation(spec, { ...data, universe: data.universe.survivors() });
}

/** The data that a rotation has read. */
export const rotationDataRead = (spec: RotationSpec, { single, ...data }: RotationData): DataRead =>
  universeDataRead(spec, data, single && `${benchmarkView(spec)} ${single.digest}\n`);

function report(spec: RotationSpec, data: RotationData, outcome: WithSurvivors, ledger: SessionLedger): RunReport {
  const { universe, panel, run, metrics, survivors } = outcome;
  const { clock, members } = universe;
  const kept = spec.columns === undefined ? [] : universe.keptHistories();
  return {
    days: clock,
    equity: run.equity,
    market: marketOf(spec, outcome),
    head: {
      kind: 'portfolio',
      symbols: symbolsOf(spec, outcome),
      symbols_without_bars: withoutBars(spec, outcome),
      members: members.length,
    },
    metrics: portfolioMetricsView(metrics),
    positions: positionSummaryView(run),
    fields: {
      universe: universeView(spec),
      rotation: rotationView(spec),
      cash_buffer_pct: spec.cashBufferPct,
      benchmark: benchmarkView(spec),
      rebalance_count: run.rebalances.length,
      survivorship_gap: survivors === null ? undefined : gapOf(metrics, survivors.metrics),
      skipped_symbols: spec.universe.skipped ?? undefined,
    },
    gaps: gapsOfRotation(spec, outcome, ledger),
    isMixed: clock[0] < CONSOLIDATED_FROM,
    notes: rotationNotes(spec, outcome),
    doubts: { ...doubtsOfRun(spec, clock, run, (i) => panel.members[i].traded), ...survivorsOf(universe) },
    parts: rotationParts(spec, outcome, survivors),
    read: rotationDataRead(spec, data),
    instrumentIds: readIds(
      members.map(({ instrument }) => ({ instrumentId: instrument.id })),
      spec.others,
    ),
    columns: kept && columnsOf(kept, data.others),
  };
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

async function sheetPart(spec: RotationSpec, outcome: RotationOutcome, seed: string): Promise<RunPart> {
  const { run, market, values, rule, rates } = outcome;
  const part = partOfPortfolio(reportedRotation(outcome), run, market, spec.execution, rates);
  const panel = await panelOfSets(outcome);
  const input = panel && { panel, values, rule, execution: spec.execution, interest: rates.cash?.returns };
  return { ...part, ...(input ? { randomSets: () => randomSets(input, run, seed) } : { areSetsSkipped: true }) };
}

/** Every member that random sets may hold, with its bars; null: they would take too long, or do not fit in memory. */
async function panelOfSets({ universe, values, run }: RotationOutcome) {
  if (areTooLong(universe.clock, run.rebalances)) return null;
  const scored = scoredMembers(values.rebalances);
  const bars = [...scored].reduce((sum, member) => sum + universe.members[member].bars, 0);
  return bars > KEPT_LIMITS.whole ? null : universe.panel(scored);
}

export async function readKeptRotation(
  context: ReadContext,
  saved: KeptRun,
): Promise<KeptData<RotationSpec, RotationData>> {
  const { pool, rotationBars } = context;
  const kept = rotationSpecSchema.parse(saved.spec);
  const { universe, benchmark } = kept;
  const spec = {
    ...kept,
    others: await presentOthers(pool, kept.others),
    universe: { ...universe, instruments: universe.instruments && (await withPresentIds(pool, universe.instruments)) },
    benchmark: benchmark && (await withPresentId(pool, benchmark)),
  };
  const data = await readRotation(context, spec, keptLimits(rotationBars));
  return { spec, data, differences: (run) => universeDifferences(pool, data, spec, run) };
}

/**
 * One pass over the universe is needed for each rebalance, whatever its size: only the chosen members are kept whole in memory. The warm-up
 * is not measured: it has all sessions before the range.
 */
export async function proveRotation(
  context: ReadContext,
  spec: RotationSpec,
  data: RotationData,
): Promise<Proof | null> {
  const outcome = await computeRotation(spec, data);
  if ('failure' in outcome) return null;
  const { universe, panel, rule, rates } = outcome;
  const chosen = panel.members.flatMap(({ to }, member) => (to > 0 ? [member] : []));
  const histories = await universe.historiesOf(chosen);
  const programs = rotationPrograms(rotationRules(spec.texts, spec.columns), spec.params);
  const others = referencedInstruments(data.others, spec.adjust);
  const rotation: ProvedRotation = {
    panel,
    rule,
    cut: (member, to) => {
      const history = histories.get(member);
      if (to === 0 || history === undefined) return EMPTY_SERIES;
      return adjustToLastBar(sliceSeries(history.series, 0, to), history.events, spec.adjust);
    },
    valuesOf: (cut, sessions) => {
      const market = universe.marketThrough(cut.clock[cut.clock.length - 1]);
      return marketValues(market, cut, programs, sessions, others);
    },
    schedule: scheduleOf(spec, spec.params),
    execution: spec.execution,
    interest: rates.cash?.returns,
  };
  const { first: available } = universe;
  return {
    proof: await runProof(context, proveRotationPrefixes(rotation)),
    warmUp: { available, needed: available, compared: [available] },
    proved: null,
  };
}
