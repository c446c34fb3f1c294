/** The parts of a rotation that do not compare members with each other, which any worker can compute. */
import type { Day } from '../../engine/market/dates.ts';
import { rotationPrograms, rotationRules } from '../../engine/rotation/rules.ts';
import { marketPrograms } from '../../engine/rotation/values.ts';
import { BlockData, type BlockPart, memberPrograms } from '../../engine/rules/market-block.ts';
import { groupsOf, readBars, type VisitedMember } from '../../engine/rules/market-values.ts';
import { required } from '../../engine/util/values.ts';
import { readOthers, referencedInstruments } from '../backtest/others.ts';
import type { RotationSpec } from '../contracts/rotation.ts';
import { BLOCK_MEMBERS, type BlockSum, EqualWeights } from './equal-weights.ts';
import { type Facts, readFacts, streamMembers, type UniverseContext, visitedThrough } from './histories.ts';

export interface FactsWork {
  /** Instruments, ascending. */
  readonly ids: readonly number[];
}

export interface ValuesWork extends FactsWork {
  /** Those whose last bar is their last bar of all. */
  readonly delisted: readonly number[];
  readonly through: Day;
  /** The days at which the rules have values. */
  readonly days: Int32Array;
  /** The sessions of the benchmark; null: it is known. */
  readonly clock: Int32Array | null;
}

/** The columns of the members, in the order of their ids, and their part of the benchmark. */
export interface ValuesOfMembers {
  readonly part: BlockPart;
  readonly blocks: readonly BlockSum[];
}

/** The input and the result of a chunk of each kind. */
export interface Chunks {
  readonly facts: { readonly work: FactsWork; readonly result: Facts };
  readonly values: { readonly work: ValuesWork; readonly result: ValuesOfMembers };
}

export const COMPUTE: {
  readonly [K in keyof Chunks]: (
    context: UniverseContext,
    spec: RotationSpec,
    work: Chunks[K]['work'],
  ) => Promise<Chunks[K]['result']>;
} = {
  facts: (context, spec, { ids }) => readFacts(context, spec, ids),
  values: readValues,
};

async function readValues(
  context: UniverseContext,
  spec: RotationSpec,
  { ids, delisted, through, days, clock }: ValuesWork,
): Promise<ValuesOfMembers> {
  const others = referencedInstruments(await readOthers(context.pool, spec.others, spec.asOf), spec.adjust);
  const { where, values } = marketPrograms(rotationPrograms(rotationRules(spec.texts), spec.params));
  const programs = memberPrograms({ values, conditions: where });
  const shape = { sessions: days.length, members: ids.length, groups: groupsOf({ members: [] }) };
  const data = new BlockData(shape, programs);
  const weights = clock && new EqualWeights(clock);
  const memberOfId = new Map(ids.map((id, member) => [id, member]));
  const isDelisted = new Set(delisted);
  async function* visit(): AsyncGenerator<VisitedMember> {
    for await (const { instrumentId: id, read } of streamMembers(context, spec, ids)) {
      const one = { member: required(memberOfId.get(id), 'a member'), isDelisted: isDelisted.has(id) };
      const visited = visitedThrough(through, one, read, spec.adjust);
      if (visited === null) continue;
      weights?.add(visited.series);
      yield visited;
    }
  }
  await readBars(visit(), data, days, programs, others);
  const { hasBar, isMember, columns } = data;
  return { part: { hasBar, isMember, columns }, blocks: weights?.blocks ?? [] };
}

/** Cuts instruments with so many bars together into chunks of whole blocks with about `most` bars each. */
export function cutIntoChunks<T>(instruments: readonly T[], bars: number, most: number): (readonly T[])[] {
  const blocks = Math.max(1, Math.floor((most / bars) * (instruments.length / BLOCK_MEMBERS)));
  const size = blocks * BLOCK_MEMBERS;
  const count = Math.ceil(instruments.length / size);
  return Array.from({ length: count }, (_, i) => instruments.slice(i * size, (i + 1) * size));
}
