/** Outcomes of a condition as a kind of run: what happened after its hits; kept ones on the data of today. */

import type { KeptRun } from '../../db/runs/kept-runs.ts';
import { storedResult } from '../../db/runs/run-results.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import type { Extreme } from '../../engine/outcomes/extremes.ts';
import { findHits, MAX_HITS, type OutcomePrograms, TooManyHits } from '../../engine/outcomes/hits.ts';
import { outcomesOf } from '../../engine/outcomes/outcomes.ts';
import { readPanel } from '../../engine/outcomes/panel.ts';
import { isOfCloses } from '../../engine/rotation/rules.ts';
import { compileCondition } from '../../engine/rules/compile.ts';
import { printExpression } from '../../engine/rules/print.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { type OutcomesSpec, outcomesSpecSchema } from '../contracts/outcomes.ts';
import { lastReadDay } from '../contracts/sweep.ts';
import { expressionOf } from '../factors/chunk.ts';
import { universeDataRead } from '../rotation/data-read.ts';
import { universeDifferences } from '../rotation/differences.ts';
import { keptLimits } from '../rotation/histories.ts';
import { noBarsInRange } from '../rotation/run.ts';
import { Universe } from '../rotation/universe.ts';
import { type History, readHistories, readOthers, referencedInstruments } from '../runs/history.ts';
import type { Failed, Figures, KeptData, ReadContext, RunKind } from '../runs/kind.ts';
import { readingColumns } from '../runs/own-columns.ts';
import { columnForm, receiptOf, resultDigest, seedOf, specDigest } from '../runs/receipt.ts';
import { presentOthers, withPresentIds } from '../runs/recompute.ts';
import { trialsIn } from '../runs/trials.ts';
import { type ComputedOutcomes, type NamedExtreme, outcomesSummary, questionOf } from './summary.ts';

const DECIMALS = 10;

interface OutcomesData {
  readonly universe: Universe;
  /** Other instruments that the conditions name, by ticker. */
  readonly others: ReadonlyMap<string, History> | undefined;
  readonly signal: AbortSignal;
}

export const OUTCOMES: RunKind<OutcomesSpec, OutcomesData> = {
  spec: outcomesSpecSchema,
  canonical: (spec, engineVersion = ENGINE_VERSION) => ({
    kind: 'outcomes',
    engine_version: engineVersion,
    ...questionOf(spec, canonical),
    columns: spec.columns?.map(columnForm),
  }),
  digest: (spec, data) => universeDataRead(spec, data).sha256,
  read: readData,
  readKept,
  readsMarket: true,
  result: async (_db, spec, data, _ledger, computation) => {
    const sha256 = specDigest(OUTCOMES.canonical(spec));
    const computed = await computeOutcomes(spec, data, seedOf(sha256)).catch(asTooMany);
    if ('failure' in computed) return computed;
    const figures = shortened(computed);
    const receipt = receiptOf(sha256, universeDataRead(spec, data), resultDigest(figures), computation);
    const time_range = spec.start === null ? spec.timeRange : 'CUSTOM';
    return storedResult({ ...figures, time_range, question: questionOf(spec), receipt });
  },
  selection: async (_db, userId, spec) => ({
    selection: null,
    trials: userId === null ? null : { userId, ...countedAs(spec) },
  }),
  figures: (summary) => figuresOf(outcomesSummary(summary)),
  digested: (summary) => {
    const { time_range: _range, question: _question, receipt: _receipt, ...figures } = outcomesSummary(summary);
    return figures;
  },
};

/** One run of the account for a condition, universe, and range, whatever is asked of them. It has no appraisal ratio. */
function countedAs({ condition, where, universe, timeRange, start, end }: OutcomesSpec) {
  const { search, combinations } = trialsIn({ kind: 'outcomes' }, [
    { condition, where, universe, timeRange, start, end },
  ]);
  return { search, combinations: [], account: { spec: combinations[0], runs: 1, measured: 0, sum: 0, squares: 0 } };
}

function asTooMany(error: unknown): Failed {
  if (!(error instanceof TooManyHits)) throw error;
  return { failure: { code: 'too_many_hits', details: { max: MAX_HITS.toLocaleString('en') } } };
}

/** Figures with 10 decimals. */
function shortened(computed: ComputedOutcomes): object {
  const text = JSON.stringify(computed, (_, value) =>
    typeof value === 'number' ? Number(value.toFixed(DECIMALS)) : value,
  );
  return JSON.parse(text);
}

function figuresOf({ sessions, instruments, hits, days, left_out, horizons }: ComputedOutcomes): Figures {
  const ofHorizons = horizons.flatMap(({ horizon, mean, excess }) => [
    [`mean_${horizon}`, mean],
    [`excess_${horizon}`, excess?.mean ?? null],
    [`t_${horizon}`, excess?.t ?? null],
  ]);
  return { sessions, instruments, hits, days, left_out, ...Object.fromEntries(ofHorizons) };
}

function textsOf({ where, condition, by }: OutcomesSpec) {
  return [where, condition, by].flatMap((text) => (text === null ? [] : [expressionOf(text, 'condition')]));
}

function programsOf({ where, condition, by }: OutcomesSpec): OutcomePrograms {
  const program = (text: string) => compileCondition(expressionOf(text, 'condition'));
  return {
    where: where === null ? [] : [program(where)],
    condition: program(condition),
    by: by === null ? null : program(by),
  };
}

async function readData(context: ReadContext, given: OutcomesSpec): Promise<OutcomesData | Failed> {
  const spec = { ...given, asOf: lastReadDay(given) };
  const ofCloses = spec.entry === 'close' && textsOf(spec).every(isOfCloses);
  const universe = await Universe.read(context, spec, ofCloses, keptLimits(context.rotationBars));
  if (universe === null) return noBarsInRange(spec);
  const read = readingColumns(readHistories, spec.columns);
  const others = await readOthers(context.pool, spec.others, spec.asOf, read);
  return { universe, others, signal: context.signal };
}

async function readKept(context: ReadContext, saved: KeptRun): Promise<KeptData<OutcomesSpec, OutcomesData>> {
  const { pool } = context;
  const kept = outcomesSpecSchema.parse(saved.spec);
  const { universe, wanted } = kept;
  const spec = {
    ...kept,
    others: await presentOthers(pool, kept.others),
    universe: { ...universe, instruments: universe.instruments && (await withPresentIds(pool, universe.instruments)) },
    wanted: wanted && (await withPresentIds(pool, wanted)),
  };
  const data = await readData(context, spec);
  return { spec, data, differences: (run) => universeDifferences(pool, data, spec, run) };
}

async function computeOutcomes(
  spec: OutcomesSpec,
  { universe, others, signal }: OutcomesData,
  seed: string,
): Promise<ComputedOutcomes> {
  const { by, entry, compare, horizons } = spec;
  const market = universe.market();
  const panel = await readPanel(market, universe, entry);
  signal.throwIfAborted();
  const named = spec.wanted && new Set(spec.wanted.map(({ instrumentId }) => instrumentId));
  const wanted = Uint8Array.from(universe.members, ({ instrument }) => Number(named?.has(instrument.id) ?? true));
  const hits = { beginnings: spec.beginnings, wanted };
  const referenced = referencedInstruments(others, spec.adjust);
  const found = await findHits(market, universe, panel, programsOf(spec), hits, referenced);
  signal.throwIfAborted();
  const { best, worst, ...told } = outcomesOf(panel, found, { compare, horizons, hasBy: by !== null, seed });
  const shown = ({ row, member, ...figures }: Extreme): NamedExtreme => ({
    symbol: qualifiedSymbol(universe.members[member].instrument.symbol),
    ts: formatDay(panel.days[row]),
    ...figures,
  });
  const { clock } = universe;
  return {
    compare,
    sessions: clock.length,
    first: formatDay(clock[0]),
    last: formatDay(clock[clock.length - 1]),
    instruments: universe.members.length,
    ...told,
    best: best.map(shown),
    worst: worst.map(shown),
  };
}

const canonical = (condition: string) => printExpression(expressionOf(condition, 'condition'));
