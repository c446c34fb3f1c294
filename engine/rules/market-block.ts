/**
 * Programs evaluated over a block of sessions and all members at once: columns have one figure per session and member, session by
 * session. What does not compare members is computed from the bars of each member first; these columns are filled in by the caller.
 */
import { roundedForOrder } from '../indicators/ties.ts';
import type { WholePeriod } from '../market/period-bars.ts';
import { ColumnSet, keepIn, partOf } from './column-set.ts';
import type { Group } from './functions/across.ts';
import { beforeOf, countOf, forBarsOf, takenAt, withinBarsOf } from './kernels.ts';
import { partsOf, valueKey } from './nodes.ts';
import type { AcrossProgram, Condition, Leaf, Value } from './program.ts';

/** Members and sessions of a block. */
export interface BlockShape {
  readonly sessions: number;
  readonly members: number;
  /** The group of each member, numbered from 0. */
  readonly groups: Readonly<Record<Group, Int32Array>>;
}

/** Programs without values across the market, which are computed from the bars of a member. */
export interface MemberPrograms {
  readonly values: readonly Value[];
  readonly conditions: readonly Condition[];
}

/** Bytes of the data of one member at one session. */
export function bytesOf({ values, conditions }: MemberPrograms): number {
  return 2 + 8 * values.length + conditions.length;
}

/** The largest parts of programs that do not compare members, each once. */
export function memberPrograms(roots: {
  readonly values: readonly Value[];
  readonly conditions: readonly Condition[];
}): MemberPrograms {
  const values = new Map<string, Value>();
  const conditions = new Map<string, Condition>();
  const add = (node: Value | Condition): void => {
    if (node.across > 0) for (const part of partsOf(node)) add(part);
    else if (!('dimension' in node)) conditions.set(node.key, node);
    else if (node.program.kind !== 'constant') values.set(node.key, node);
  };
  for (const root of [...roots.values, ...roots.conditions]) add(root);
  return { values: [...values.values()], conditions: [...conditions.values()] };
}

type Column = Float64Array | Uint8Array;

/** The number of the group that a member is in at a session; NaN: it is in none, and no peer. */
type GroupsOf = (at: number) => number;

/** The data of the members of a block at its sessions. */
export class BlockData {
  readonly shape: BlockShape;
  /** 1 where a member has a bar. */
  readonly hasBar: Uint8Array;
  /** 1 where it counts as a member: it has a bar, and that is not the last one of a delisted instrument. */
  readonly isMember: Uint8Array;
  readonly columns: ReadonlyMap<string, Column>;

  private constructor(shape: BlockShape, parts: Pick<BlockData, 'hasBar' | 'isMember' | 'columns'>) {
    this.shape = shape;
    this.hasBar = parts.hasBar;
    this.isMember = parts.isMember;
    this.columns = parts.columns;
  }

  /** Without a bar. */
  static empty(shape: BlockShape, { values, conditions }: MemberPrograms): BlockData {
    const length = shape.sessions * shape.members;
    const columns = new Map<string, Column>();
    for (const { key } of values) columns.set(key, new Float64Array(length).fill(Number.NaN));
    for (const { key } of conditions) columns.set(key, new Uint8Array(length));
    return new BlockData(shape, { hasBar: new Uint8Array(length), isMember: new Uint8Array(length), columns });
  }

  /** One of its sessions, sharing its memory. */
  session(row: number): BlockData {
    const { shape, hasBar, isMember, columns } = this;
    const from = row * shape.members;
    const part = <T extends Column>(column: T) => partOf(column, from, from + shape.members);
    return new BlockData(
      { ...shape, sessions: 1 },
      {
        hasBar: part(hasBar),
        isMember: part(isMember),
        columns: new Map([...columns].map(([key, column]) => [key, part(column)])),
      },
    );
  }

  /** `bars`: the bar of the member at each session; -1: it has none. `last`: its last bar of all if it was delisted. */
  setBars(member: number, bars: Int32Array, last: number | null): void {
    const { members } = this.shape;
    for (let row = 0, at = member; row < bars.length; row++, at += members) {
      if (bars[row] < 0) continue;
      this.hasBar[at] = 1;
      this.isMember[at] = Number(bars[row] !== last);
    }
  }

  /** Fills in what was computed from the bars of a member. */
  setColumn(member: number, bars: Int32Array, key: string, column: Column): void {
    const out = this.columns.get(key);
    if (out === undefined) throw new RangeError(`${key} is no program of a member`);
    const { members } = this.shape;
    for (let row = 0, at = member; row < bars.length; row++, at += members) {
      if (bars[row] >= 0) out[at] = column[bars[row]];
    }
  }
}

export class BlockColumns extends ColumnSet {
  private readonly data: BlockData;
  private readonly isPeer: Uint8Array;
  private readonly computed: Map<string, Column>;

  /** `isPeer`: 1 where a member is compared with the others. */
  constructor(data: BlockData, isPeer: Uint8Array) {
    super(data.hasBar.length);
    this.data = data;
    this.isPeer = isPeer;
    this.computed = new Map(data.columns);
  }

  protected keep<T extends Column>(key: string, compute: () => T): T {
    return keepIn(this.computed, key, compute);
  }

  protected leaf(program: Leaf): Float64Array {
    if (program.kind !== 'across') throw new RangeError(`${valueKey(program)} was not computed`);
    return this.across(program);
  }

  protected otherValue(ticker: string): never {
    throw new RangeError(`a value of ${ticker} was not computed`);
  }

  protected otherMask(ticker: string): never {
    return this.otherValue(ticker);
  }

  protected periodValue(period: WholePeriod): never {
    throw new RangeError(`a value of a ${period} was not computed`);
  }

  protected override computeValue(node: Value): Float64Array {
    const { program } = node;
    if (program.kind !== 'window' && program.kind !== 'count') return super.computeValue(node);
    const out = new Float64Array(this.length).fill(Number.NaN);
    const { sessions } = this.data.shape;
    return program.kind === 'window'
      ? this.alongBars(this.value(program.a), new Float64Array(sessions), out, (own) =>
          program.fn.column(own, program.n),
        )
      : this.alongBars(this.mask(program.part), new Uint8Array(sessions), out, (own) => countOf(own, program.n));
  }

  protected override computeMask(node: Condition): Uint8Array {
    const { program } = node;
    const out = new Uint8Array(this.length);
    const buffer = new Uint8Array(this.data.shape.sessions);
    switch (program.kind) {
      case 'before':
        return this.alongBars(this.mask(program.part), buffer, out, beforeOf);
      case 'forBars':
        return this.alongBars(this.mask(program.part), buffer, out, (own) => forBarsOf(own, program.n));
      case 'withinBars':
        return this.alongBars(this.mask(program.part), buffer, out, (own) => withinBarsOf(own, program.n));
      default:
        return super.computeMask(node);
    }
  }

  /** A function of time goes by the bars of each member, not by the sessions. `buffer`: as long as the sessions. */
  private alongBars<T extends Column, U extends Column>(column: T, buffer: T, out: U, compute: (own: T) => U): U {
    const { hasBar, shape } = this.data;
    const rows = new Int32Array(shape.sessions);
    for (let member = 0; member < shape.members; member++) {
      let bars = 0;
      for (let at = member; at < column.length; at += shape.members) {
        if (hasBar[at] === 0) continue;
        buffer[bars] = column[at];
        rows[bars++] = at;
      }
      const own = compute(partOf(buffer, 0, bars));
      for (let bar = 0; bar < bars; bar++) out[rows[bar]] = own[bar];
    }
    return out;
  }

  /** NaN where a member is no peer, or has no argument. */
  private across({ fn, part, constant, group }: AcrossProgram): Float64Array {
    const { members } = this.data.shape;
    const out = new Float64Array(this.length).fill(Number.NaN);
    const argument = part === null ? null : this.value(part);
    const groups = this.groups(group);
    for (let from = 0; from < this.length; from += members) {
      const all = this.peersAt(from, argument);
      const peers = groups === null ? all : all.filter((at) => !Number.isNaN(groups(at)));
      const given = argument === null ? new Float64Array(peers.length) : takenAt(argument, peers);
      const values = fn.isOfOrder ? roundedForOrder(given) : given;
      for (const places of placesByGroup(peers, groups)) {
        const figures = fn.across(places === null ? values : Float64Array.from(places, (i) => values[i]), constant);
        for (let k = 0; k < figures.length; k++) out[peers[places === null ? k : places[k]]] = figures[k];
      }
    }
    return out;
  }

  /** Null: all are one group. */
  private groups(group: AcrossProgram['group']): GroupsOf | null {
    if (group === null) return null;
    const { members, groups } = this.data.shape;
    if (typeof group === 'string') return (at) => groups[group][at % members];
    const labels = this.value(group);
    return (at) => labels[at];
  }

  /** The places of the peers of a session whose argument is defined. */
  private peersAt(from: number, argument: Float64Array | null): Int32Array {
    const peers = new Int32Array(this.data.shape.members);
    let count = 0;
    for (let at = from; at < from + peers.length; at++) {
      if (this.isPeer[at] === 1 && (argument === null || !Number.isNaN(argument[at]))) peers[count++] = at;
    }
    return peers.subarray(0, count);
  }
}

/** Places in `peers` of each group; null: all of them are one. */
function placesByGroup(peers: Int32Array, groups: GroupsOf | null): Iterable<readonly number[] | null> {
  if (groups === null) return [null];
  return Map.groupBy(peers.keys(), (place) => groups(peers[place])).values();
}
