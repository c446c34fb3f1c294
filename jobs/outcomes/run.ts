/** The job that tells what happened after the hits of a condition. */
import { insertTrials } from '../../db/runs/trials.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import type { Extreme } from '../../engine/outcomes/extremes.ts';
import { findHits, MAX_HITS, type OutcomePrograms, TooManyHits } from '../../engine/outcomes/hits.ts';
import { type Outcomes, outcomesOf } from '../../engine/outcomes/outcomes.ts';
import { readPanel } from '../../engine/outcomes/panel.ts';
import type { Compare } from '../../engine/outcomes/returns.ts';
import { isOfCloses } from '../../engine/rotation/rules.ts';
import { compileCondition } from '../../engine/rules/compile.ts';
import { printExpression } from '../../engine/rules/print.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { type OutcomesSpec, outcomesSpecSchema } from '../contracts/outcomes.ts';
import { lastReadDay } from '../contracts/sweep.ts';
import { expressionOf } from '../factors/chunk.ts';
import { universeDataRead } from '../rotation/data-read.ts';
import { keptLimits } from '../rotation/histories.ts';
import { universeView } from '../rotation/report.ts';
import { noBarsInRange } from '../rotation/run.ts';
import { Universe } from '../rotation/universe.ts';
import { finishUncached, type RunContext, runFrame } from '../runs/frame.ts';
import { readHistories, readOthers, referencedInstruments } from '../runs/history.ts';
import { readingColumns } from '../runs/own-columns.ts';
import { columnForm, type DataRead, receiptOf, resultDigest, seedOf, specDigest } from '../runs/receipt.ts';
import { trialsIn } from '../runs/trials.ts';

type OutcomesContext = RunContext & Pick<JobContext, 'signal' | 'rotationBars'>;

const DECIMALS = 10;

export interface ComputedOutcomes extends Omit<Outcomes, 'best' | 'worst'> {
  readonly compare: Compare;
  readonly sessions: number;
  readonly first: string;
  readonly last: string;
  readonly instruments: number;
  readonly best: readonly NamedExtreme[];
  readonly worst: readonly NamedExtreme[];
}

export interface NamedExtreme extends Omit<Extreme, 'row' | 'member'> {
  readonly symbol: string;
  readonly ts: string;
}

export function runOutcomesJob(context: OutcomesContext, { runId }: { readonly runId: string }): Promise<void> {
  return runFrame(context, runId, async (run) => {
    const spec = outcomesSpecSchema.parse(JSON.parse(run.spec));
    const sha256 = specDigest(formOf(spec));
    const computed = await computeOutcomes(context, spec, seedOf(sha256)).catch(asTooMany);
    if (computed === 'too_many') return { code: 'too_many_hits', details: { max: MAX_HITS.toLocaleString('en') } };
    if (computed === null) return noBarsInRange(spec).failure;
    if (run.userId !== null) await insertTrials(context.pool, { userId: run.userId, ...countedAs(spec) });
    const figures = shortened(computed.outcomes);
    const at = { dataVersion: run.dataVersion, at: new Date(context.now()) };
    await finishUncached(context, { ...figures, receipt: receiptOf(sha256, computed.read, resultDigest(figures), at) });
    return null;
  });
}

/** One run of the account for a condition, universe, and range, whatever is asked of them. It has no appraisal ratio. */
function countedAs({ condition, where, universe, timeRange, start, end }: OutcomesSpec) {
  const { search, combinations } = trialsIn({ kind: 'outcomes' }, [
    { condition, where, universe, timeRange, start, end },
  ]);
  return { search, combinations: [], account: { spec: combinations[0], runs: 1, measured: 0, sum: 0, squares: 0 } };
}

function asTooMany(error: unknown): 'too_many' {
  if (error instanceof TooManyHits) return 'too_many';
  throw error;
}

/** Figures with 10 decimals. */
function shortened(computed: ComputedOutcomes): object {
  const text = JSON.stringify(computed, (_, value) =>
    typeof value === 'number' ? Number(value.toFixed(DECIMALS)) : value,
  );
  return JSON.parse(text);
}

function programsOf({ where, condition, by }: OutcomesSpec): OutcomePrograms {
  const program = (text: string) => compileCondition(expressionOf(text, 'condition'));
  return {
    where: where === null ? [] : [program(where)],
    condition: program(condition),
    by: by === null ? null : program(by),
  };
}

interface Computed {
  readonly outcomes: ComputedOutcomes;
  readonly read: DataRead;
}

/** Null: no member has a bar in the range. */
async function computeOutcomes(context: OutcomesContext, given: OutcomesSpec, seed: string): Promise<Computed | null> {
  const spec = { ...given, asOf: lastReadDay(given) };
  const { where, condition, by, entry, compare, horizons } = spec;
  const texts = [where, condition, by].flatMap((text) => (text === null ? [] : [expressionOf(text, 'condition')]));
  const ofCloses = entry === 'close' && texts.every(isOfCloses);
  const universe = await Universe.read(context, spec, ofCloses, keptLimits(context.rotationBars));
  if (universe === null) return null;
  const read = readingColumns(readHistories, spec.columns);
  const histories = await readOthers(context.pool, spec.others, spec.asOf, read);
  const others = referencedInstruments(histories, spec.adjust);
  const market = universe.market();
  const panel = await readPanel(market, universe, entry);
  context.signal.throwIfAborted();
  const named = spec.wanted && new Set(spec.wanted.map(({ instrumentId }) => instrumentId));
  const wanted = Uint8Array.from(universe.members, ({ instrument }) => Number(named?.has(instrument.id) ?? true));
  const hits = { beginnings: spec.beginnings, wanted };
  const found = await findHits(market, universe, panel, programsOf(spec), hits, others);
  context.signal.throwIfAborted();
  const question = { compare, horizons, hasBy: by !== null, seed };
  const { best, worst, ...told } = outcomesOf(panel, found, question);
  const shown = ({ row, member, ...figures }: Extreme): NamedExtreme => ({
    symbol: qualifiedSymbol(universe.members[member].instrument.symbol),
    ts: formatDay(panel.days[row]),
    ...figures,
  });
  const { clock } = universe;
  const outcomes = {
    compare,
    sessions: clock.length,
    first: formatDay(clock[0]),
    last: formatDay(clock[clock.length - 1]),
    instruments: universe.members.length,
    ...told,
    best: best.map(shown),
    worst: worst.map(shown),
  };
  return { outcomes, read: universeDataRead(spec, { universe, others: histories }) };
}

/** A specification as it is digested: symbols instead of what the database has for them, and conditions in one form. */
function formOf(spec: OutcomesSpec): object {
  const { universe, where, condition, by, wanted, beginnings, horizons, entry, compare, adjust } = spec;
  const { columns, timeRange, start, end } = spec;
  return {
    kind: 'outcomes',
    engine_version: ENGINE_VERSION,
    universe: universeView({ universe, texts: { where: where === null ? undefined : canonical(where) } }),
    condition: canonical(condition),
    by: by && canonical(by),
    for: wanted?.map(({ symbol }) => symbol) ?? null,
    first: beginnings,
    horizons,
    entry,
    compare,
    adjust,
    columns: columns?.map(columnForm),
    time_range: start === null ? timeRange : null,
    start: start && formatDay(start),
    end: end && formatDay(end),
  };
}

const canonical = (condition: string) => printExpression(expressionOf(condition, 'condition'));
