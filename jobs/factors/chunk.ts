/** The job of a chunk of factors: one pass over the universe, of whose values only figures are kept. */
import { Readable } from 'node:stream';
import { deserialize, serialize } from 'node:v8';
import type { StartedChunk } from '../../db/sweeps/sweep-chunks.ts';
import { shortestOf } from '../../engine/factors/choice.ts';
import { factorFigures } from '../../engine/factors/figures.ts';
import { formationSessions, longShort } from '../../engine/factors/long-short.ts';
import { type StudySessions, studySessions } from '../../engine/factors/sessions.ts';
import { type FormedFactors, type StudyPrograms, studyFactors } from '../../engine/factors/study.ts';
import type { FactorTally } from '../../engine/factors/tally.ts';
import type { Ranks } from '../../engine/indicators/ranks.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { isOfCloses } from '../../engine/rotation/rules.ts';
import { checkRule } from '../../engine/rules/check.ts';
import { compileCondition, compileValue } from '../../engine/rules/compile.ts';
import type { Expression } from '../../engine/rules/syntax.ts';
import { keysOf, required } from '../../engine/util/values.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { type FactorSpec, factorChunkSchema, factorSpecSchema } from '../contracts/factors.ts';
import { PermanentFailure } from '../contracts/job-context.ts';
import { lastReadDay } from '../contracts/sweep.ts';
import { keptLimits } from '../rotation/histories.ts';
import { survivorsOf, universeNotes } from '../rotation/report.ts';
import { isUnpriced } from '../rotation/search.ts';
import { Universe } from '../rotation/universe.ts';
import { readHistories, readOthers, referencedInstruments } from '../runs/history.ts';
import { delistingNotes, type NoteCode } from '../runs/notes.ts';
import { readingColumns } from '../runs/own-columns.ts';
import type { ChunkContext } from '../sweep/run-chunk.ts';
import { type FactorView, factorView, portfolioView } from './result.ts';

/** Facts of the universe, which every chunk of a study finds alike. */
export interface StudyFacts {
  readonly sessions: number;
  readonly first: string;
  readonly last: string;
  readonly clock: number;
  readonly instruments: number;
  readonly ended: number;
}

export interface ChunkFactor {
  /** In the study. */
  readonly place: number;
  readonly view: FactorView;
  /** By row, at the shortest horizon. */
  readonly spreads: Float64Array;
  /** At the last session of each month. */
  readonly monthRanks: readonly Ranks[];
}

export interface FactorChunk {
  readonly facts: StudyFacts;
  readonly notes: readonly NoteCode[];
  readonly sessions: StudySessions;
  /** Mean return of the eligible by row, at the shortest horizon. */
  readonly market: Float64Array;
  readonly factors: readonly ChunkFactor[];
}

export async function writeFactors(context: ChunkContext, chunk: StartedChunk, key: string): Promise<void> {
  const spec = factorSpecSchema.parse(chunk.spec);
  const computed = await computeFactors(context, spec, factorChunkSchema.parse(chunk.instruments));
  await context.storage.put(key, Readable.from([serialize(computed)]));
}

export async function readFactors(storage: ObjectStorage, key: string): Promise<FactorChunk> {
  const content = await storage.get(key);
  if (content === null) throw new PermanentFailure(`the chunk ${key} is gone`);
  return deserialize(Buffer.concat(await Array.fromAsync(content)));
}

type StudyContext = Pick<ChunkContext, 'pool' | 'signal' | 'rotationBars'>;

/** Everything that some factors of a study are computed from. */
export async function openStudy(context: StudyContext, given: FactorSpec, factors: FactorSpec['factors']) {
  // A load during a study does not make some of its chunks longer.
  const spec = { ...given, asOf: lastReadDay(given) };
  const expressions = expressionsOf(spec, factors);
  const universe = await Universe.read(context, spec, expressions.every(isOfCloses), keptLimits(context.rotationBars));
  if (universe === null) throw new PermanentFailure('no member has a bar in the range');
  const sessions = studySessions(universe.clock, spec.every, spec.delay);
  const read = readingColumns(readHistories, spec.columns);
  const others = referencedInstruments(await readOthers(context.pool, spec.others, spec.asOf, read), spec.adjust);
  const { members } = universe;
  const symbolOf = (member: number) => qualifiedSymbol(members[member].instrument.symbol);
  const start = universe.start ?? universe.clock[0];
  const formations = spec.portfolio ? formationSessions(universe.clock, start, spec.end ?? spec.asOf) : [];
  return { universe, sessions, others, programs: programsOf(spec, factors), formations, symbolOf };
}

/** `places`: of the factors in the study. */
export async function computeFactors(
  context: StudyContext,
  spec: FactorSpec,
  places: readonly number[],
): Promise<FactorChunk> {
  const wanted = places.map((place) => spec.factors[place]);
  const { universe, sessions, others, programs, formations, symbolOf } = await openStudy(context, spec, wanted);
  const visited = () => context.signal.throwIfAborted();
  const plan = { ...spec, formations };
  const studied = await studyFactors(universe.market(), universe, sessions, programs, plan, others, visited);
  const shortest = shortestOf(sessions, spec.horizons);
  return {
    facts: factsOf(universe, sessions),
    notes: notesOf(spec, universe, wanted, studied.tallies),
    sessions,
    market: studied.market,
    factors: studied.tallies.map((tally, i) => ({
      place: places[i],
      view: {
        ...factorView(wanted[i], factorFigures(tally, sessions, spec.horizons), sessions, symbolOf),
        portfolio: portfolioOf(spec, studied.formed, i),
      },
      spreads: tally.horizons[shortest].spreads,
      monthRanks: studied.monthRanks[i],
    })),
  };
}

/** Undefined: none is asked for. */
function portfolioOf({ portfolio }: FactorSpec, formed: FormedFactors | null, factor: number) {
  return portfolio && formed ? portfolioView(longShort(formed.panel, formed.values[factor], portfolio)) : undefined;
}

function factsOf({ members, clock }: Universe, { looked }: StudySessions): StudyFacts {
  const last = clock[clock.length - 1];
  return {
    sessions: looked.length,
    first: formatDay(clock[looked[0]]),
    last: formatDay(clock[looked[looked.length - 1]]),
    clock: clock.length,
    instruments: members.length,
    ended: members.filter(({ isDelisted, days }) => isDelisted && days[1] < last).length,
  };
}

function notesOf(
  spec: FactorSpec,
  universe: Universe,
  factors: FactorSpec['factors'],
  tallies: readonly FactorTally[],
): NoteCode[] {
  const notes = universeNotes(spec, universe, expressionsOf(spec, factors));
  if (spec.neutral === 'asset_type' || spec.neutral === 'venue') notes.push('groups_as_of_today');
  if (tallies.some(({ names }) => names.every((count) => count === 0))) notes.push('factor_undefined');
  return [...notes, ...delistingNotes(universe.members.some(isUnpriced)), ...keysOf(survivorsOf(universe))];
}

/** Everything that the bars of members are read for. */
function expressionsOf({ where }: FactorSpec, factors: FactorSpec['factors']): Expression[] {
  const values = factors.map(({ value }) => expressionOf(value, 'value'));
  return where === null ? values : [...values, expressionOf(where, 'condition')];
}

/** The expression of a text that was checked before. */
export function expressionOf(text: string, result: 'value' | 'condition'): Expression {
  const checked = checkRule(text, { result, mayUsePosition: false, market: 'peers', parameters: null });
  if ('problems' in checked) throw new RangeError(`not a ${result}: ${JSON.stringify(checked.problems)}`);
  return checked.expression;
}

function programsOf(
  { where, neutral, columns, portfolio }: FactorSpec,
  factors: readonly { readonly value: string }[],
): StudyPrograms {
  const group = typeof neutral === 'object' ? compileValue(['my', ["'", neutral.column]]) : neutral;
  if (typeof neutral === 'object')
    required(
      columns?.find(({ name }) => name === neutral.column),
      neutral.column,
    );
  return {
    where: where === null ? [] : [compileCondition(expressionOf(where, 'condition'))],
    factors: factors.map(({ value }) => compileValue(expressionOf(value, 'value'))),
    neutral: group === 'market' ? null : group,
    size: portfolio?.cap ? compileValue(marketValueOf(portfolio.cap, columns)) : null,
  };
}

/** Shares are valued at the close of the day. */
function marketValueOf(name: string, columns: FactorSpec['columns']): Expression {
  const { dimension } = required(
    columns?.find((column) => column.name === name),
    name,
  );
  const value: Expression = ['my', ["'", name], ["'", dimension]];
  return dimension === 'shares' ? ['*', value, ['close']] : value;
}
