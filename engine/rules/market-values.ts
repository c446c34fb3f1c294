/** Rules evaluated across a market: at each asked session, for every member of a universe. */
import { IndicatorSet } from '../indicators/indicator-set.ts';
import type { OwnColumns } from '../market/own-columns.ts';
import type { BarSeries } from '../market/series.ts';
import { lowerBound } from '../util/values.ts';
import { partOf } from './column-set.ts';
import { HistoryColumns } from './columns.ts';
import { GROUPS, type Group } from './functions/across.ts';
import { allOf } from './kernels.ts';
import { BlockColumns, BlockData, bytesOf, type MemberPrograms, memberPrograms } from './market-block.ts';
import { indicesIn, MarketIndex } from './market-index.ts';
import { OtherInstruments } from './other-instruments.ts';
import type { Condition, Value } from './program.ts';

/** A member as it is visited: its bars up to the end of the range, adjusted to the last of them. */
export interface VisitedMember {
  /** Index in the members of the market. */
  readonly member: number;
  readonly series: BarSeries;
  /** Whether the last bar is the last one of a delisted instrument. */
  readonly isDelisted: boolean;
}

/** The members of a universe, by ticker. Their bars are visited one by one, because those of a whole market fill the memory. */
export interface Market {
  /** The groups of each member. */
  readonly members: readonly Readonly<Record<Group, string>>[];
  /** Own columns with one value for all members. */
  readonly own?: OwnColumns | undefined;
  /** Can be called again, for another pass over the bars. */
  readonly visit: () => AsyncIterable<VisitedMember> | Iterable<VisitedMember>;
}

export interface MarketPrograms {
  /** Members for which one of them does not hold are no peers of the others in `values`. */
  readonly where: readonly Condition[];
  readonly values: readonly Value[];
  /** Answered for the same members as the values. Default: none. */
  readonly flags?: readonly Condition[];
}

/** Session by session, member by member. */
export interface MarketAnswers {
  /** Each condition: 1 where a member has a bar and meets it. */
  readonly holds: readonly Uint8Array[];
  /** 1 where a member has a bar and meets all of them. */
  readonly eligible: Uint8Array;
  /** Each of the values; NaN where it is undefined, or the member is not eligible. */
  readonly values: readonly Float64Array[];
  /** Each of the flags: 1 where an eligible member meets it. */
  readonly flags: readonly Uint8Array[];
}

/** Memory of the data of one block. A longer range is evaluated in parts, each with a pass over the bars. */
const BLOCK_BYTES = 160 * 1024 * 1024;
/** Columns of a block besides those of the members where all of it is evaluated at once: masks, and results on the way. */
const MORE_COLUMNS = 6;

interface AskedSessions {
  /** Every day up to the end of the range on which any member has a bar. */
  readonly sessions: Int32Array;
  /** Indices of sessions, ascending. */
  readonly asked: readonly number[];
}

/** `others`: the instruments that the rules name. */
export async function evaluateMarket(
  market: Market,
  programs: MarketPrograms,
  when: AskedSessions,
  others?: OtherInstruments,
): Promise<MarketAnswers> {
  const members = market.members.length;
  const length = when.asked.length * members;
  const eligible = new Uint8Array(length);
  const holds = programs.where.map(() => new Uint8Array(length));
  const values = programs.values.map(() => new Float64Array(length));
  const flags = (programs.flags ?? []).map(() => new Uint8Array(length));
  await evaluateSessions(market, programs, when, others, (index, answers) => {
    const out = index * members;
    eligible.set(answers.eligible, out);
    for (const [k, mask] of answers.holds.entries()) holds[k].set(mask, out);
    for (const [k, column] of answers.values.entries()) values[k].set(column, out);
    for (const [k, mask] of answers.flags.entries()) flags[k].set(mask, out);
  });
  return { holds, eligible, values, flags };
}

/** Passes on the answers of one asked session after another, by its place, so that those of all need not fit in memory. */
export async function evaluateSessions(
  market: Market,
  programs: MarketPrograms,
  { sessions, asked }: AskedSessions,
  others: OtherInstruments | undefined,
  take: (index: number, answers: MarketAnswers) => void,
): Promise<void> {
  const { where, values, flags = [] } = programs;
  const named = await withIndices(market, [...where, ...values, ...flags], sessions, others);
  const parts = memberPrograms({ values, conditions: [...where, ...flags] });
  const shape = { members: market.members.length, groups: groupsOf(market) };
  const back = readBack(programs);
  const besides = back.reach === 0 ? 0 : 8 * (values.length + flags.length + MORE_COLUMNS);
  const rows = Math.max(1, Math.floor(BLOCK_BYTES / (shape.members * (bytesOf(parts) + besides))));
  for (let from = 0; from < asked.length; ) {
    const part = await nextPart(market, back, sessions, asked.slice(from), rows);
    const data = BlockData.empty({ ...shape, sessions: part.sessions.length }, parts);
    const days = part.sessions.map((session) => sessions[session]);
    await readBars(market.visit(), data, days, parts, named);
    const answers = back.reach === 0 ? null : answersOf(data, programs);
    for (const session of part.asked) {
      const row = part.sessions.indexOf(session);
      // The columns of one session stay in the cache of the processor.
      take(from++, answers === null ? answersOf(data.session(row), programs) : answersAt(answers, row, shape.members));
    }
  }
}

function answersAt({ holds, eligible, values, flags }: MarketAnswers, row: number, members: number): MarketAnswers {
  const rowOf = <T extends Float64Array | Uint8Array>(column: T) => partOf(column, row * members, (row + 1) * members);
  return { holds: holds.map(rowOf), eligible: rowOf(eligible), values: values.map(rowOf), flags: flags.map(rowOf) };
}

/** Some of many values, of which the data of all asked sessions fit in one block. */
export interface ValueBlock {
  /** The index of its first value among all. */
  readonly first: number;
  readonly values: readonly Value[];
}

/** Values in blocks: evaluated one after another, each value is computed in one pass over the bars. `besides`: what is evaluated with each. */
export function blocksOf(
  values: readonly Value[],
  besides: MarketPrograms,
  { members }: Pick<Market, 'members'>,
  sessions: number,
): ValueBlock[] {
  const most = BLOCK_BYTES / (members.length * sessions);
  const areInOne = (some: readonly Value[]) =>
    bytesOf(memberPrograms({ values: [...some, ...besides.values], conditions: besides.where })) <= most;
  const blocks: ValueBlock[] = [];
  for (let first = 0, next = 1; first < values.length; first = next++) {
    while (next < values.length && areInOne(values.slice(first, next + 1))) next++;
    blocks.push({ first, values: values.slice(first, next) });
  }
  return blocks;
}

/** The instruments that programs name, with the indices of the market that are not among them: these take a pass over the bars. */
export async function withIndices(
  market: Market,
  programs: readonly (Value | Condition)[],
  sessions: Int32Array,
  others: OtherInstruments = new OtherInstruments(new Map(), 'none'),
): Promise<OtherInstruments> {
  const tickers = [...indicesIn(programs)].filter((ticker) => !others.tickers.includes(ticker));
  if (tickers.length === 0) return others;
  const indices = tickers.map((ticker) => [ticker, new MarketIndex(ticker, sessions)] as const);
  for await (const { series } of market.visit()) for (const [, index] of indices) index.add(series);
  return others.with(new Map(indices.map(([ticker, index]) => [ticker, index.end()])));
}

/** Numbers the groups. */
export function groupsOf({ members }: Pick<Market, 'members'>): Record<Group, Int32Array> {
  const numbered = (group: Group) => {
    const numbers = new Map<string, number>();
    return Int32Array.from(members, (member) => {
      const known = numbers.get(member[group]) ?? numbers.size;
      numbers.set(member[group], known);
      return known;
    });
  };
  return { asset_type: numbered(GROUPS[0]), venue: numbered(GROUPS[1]) };
}

/** The first sessions that are asked for, with all sessions whose values they read. */
interface Part {
  readonly asked: readonly number[];
  readonly sessions: Int32Array;
}

/** How far back values at a session read the peers of earlier ones. */
interface ReadBack {
  /** Own bars of a member, for each level; 0: none but its own session. */
  readonly reach: number;
  /** How deep values across the market are nested. */
  readonly levels: number;
}

function readBack({ where, values, flags = [] }: MarketPrograms): ReadBack {
  const answered = [...values, ...flags];
  const ofWhere = Math.max(0, ...where.map(({ acrossReach }) => acrossReach));
  const own = answered.map(({ acrossReach, across }) => (across > 0 ? acrossReach + ofWhere : 0));
  const reach = Math.max(ofWhere, ...own);
  const levels =
    Math.max(0, ...where.map(({ across }) => across)) + Math.max(0, ...answered.map(({ across }) => across));
  return { reach, levels };
}

async function nextPart(
  market: Market,
  { reach, levels }: ReadBack,
  sessions: Int32Array,
  asked: readonly number[],
  rows: number,
): Promise<Part> {
  if (reach === 0) {
    const some = asked.slice(0, rows);
    return { asked: some, sessions: Int32Array.from(some) };
  }
  // Peers at an earlier session may read back from there, once for each level of nesting.
  let first = asked[0];
  for (let level = 0; level < levels; level++) first = await firstRead(market, sessions, first, asked[0], reach);
  const some = asked.filter((session) => session < first + Math.max(rows, asked[0] - first + 1));
  const last = some[some.length - 1];
  return { asked: some, sessions: Int32Array.from({ length: last + 1 - first }, (_, i) => first + i) };
}

/** The earliest session that any member reads which has a bar at sessions `from` to `to`: `reach` of its own bars before. */
async function firstRead(
  { visit }: Market,
  sessions: Int32Array,
  from: number,
  to: number,
  reach: number,
): Promise<number> {
  let day = sessions[from];
  for await (const { series } of visit()) {
    const bar = lowerBound(series.day, sessions[from]);
    if (bar < series.length && series.day[bar] <= sessions[to])
      day = Math.min(day, series.day[Math.max(0, bar - reach)]);
  }
  return lowerBound(sessions, day);
}

/** One pass over the bars of members: what does not compare them with each other. */
async function readBars(
  members: ReturnType<Market['visit']>,
  data: BlockData,
  days: Int32Array,
  programs: MemberPrograms,
  others: OtherInstruments | undefined,
): Promise<void> {
  for await (const visited of members) {
    const columns = new HistoryColumns(new IndicatorSet(visited.series), { others });
    readMember(data, visited, barsOn(days, visited.series.day), columns, programs);
  }
}

/** Fills in the figures of a member. `bars`: its bar at each session of the block; -1: it has none. */
export function readMember(
  data: BlockData,
  { member, isDelisted, series }: VisitedMember,
  bars: Int32Array,
  columns: HistoryColumns,
  { values, conditions }: MemberPrograms,
): void {
  data.setBars(member, bars, isDelisted ? series.length - 1 : null);
  for (const node of values) data.setColumn(member, bars, node.key, columns.known(node));
  for (const node of conditions) data.setColumn(member, bars, node.key, columns.mask(node));
}

/** The index in `bars` of the bar of each day; -1: it has none. Both are ascending. */
export function barsOn(days: Int32Array, bars: Int32Array): Int32Array {
  const found = new Int32Array(days.length).fill(-1);
  let bar = 0;
  for (let row = 0; row < days.length; row++) {
    while (bar < bars.length && bars[bar] < days[row]) bar++;
    if (bar < bars.length && bars[bar] === days[row]) found[row] = bar;
  }
  return found;
}

function answersOf(data: BlockData, { where, values, flags = [] }: MarketPrograms): MarketAnswers {
  const members = new BlockColumns(data, data.isMember);
  const holds = where.map((condition) => allOf([data.isMember, members.mask(condition)]));
  const eligible = allOf([data.isMember, ...holds]);
  const columns = new BlockColumns(data, eligible);
  return {
    holds,
    eligible,
    values: values.map((node) => onlyWhere(eligible, columns.value(node))),
    flags: flags.map((condition) => allOf([eligible, columns.mask(condition)])),
  };
}

function onlyWhere(eligible: Uint8Array, column: Float64Array): Float64Array {
  const out = new Float64Array(column.length);
  for (let at = 0; at < out.length; at++) out[at] = eligible[at] === 1 ? column[at] : Number.NaN;
  return out;
}
