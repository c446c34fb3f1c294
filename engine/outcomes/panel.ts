/** Bars of a market as outcomes read them: the held close of each session, and where each member enters. */
import { heldPrices } from '../market/series.ts';
import type { Market, VisitedMember } from '../rules/market-values.ts';
import { lowerBound } from '../util/values.ts';

export const ENTRIES = ['close', 'next_open'] as const;
export type Entry = (typeof ENTRIES)[number];

/** Sessions before a hit that a path shows. */
export const BEFORE = 20;
/** Returns before a hit that its beta is estimated from. */
export const BETA_RETURNS = 252;
/** Own bars that are missing among them at most. */
const HOLES = 60;

/** Every session up to the end of the range, and where the range begins. */
export interface OutcomeClock {
  readonly sessions: Int32Array;
  readonly first: number;
}

/** Rows are sessions from those on that betas at the beginning of the range read; columns are members. */
export interface OutcomePanel {
  readonly members: number;
  readonly days: Int32Array;
  /** The row of the first session of the range. */
  readonly first: number;
  /** By row: the last own close at or before it, the return of a delisting included; 0: none yet. */
  readonly closes: readonly Float64Array[];
  /** By row: 1 where a member has a bar. */
  readonly hasBar: readonly Uint8Array[];
  /** By row: the open of the next own bar, and its row; NaN, -1: there is none. Null: entries are at the close. */
  readonly next: { readonly opens: readonly Float64Array[]; readonly rows: readonly Int32Array[] } | null;
  /** By member: the first row with a close; the number of rows: it has none. */
  readonly begins: Int32Array;
  /** By member: the row of the last bar of a delisted instrument; the number of rows: it goes on. */
  readonly ends: Int32Array;
  /** By member: the day of its last bar before the rows; NaN: none. */
  readonly before: Float64Array;
}

/** Members that are written at once: side by side in memory, they fill a line of it. */
const SIDE_BY_SIDE = 8;

export async function readPanel(
  market: Market,
  { sessions, first }: OutcomeClock,
  entry: Entry,
): Promise<OutcomePanel> {
  const from = Math.max(0, first - BETA_RETURNS - HOLES);
  const days = sessions.subarray(from);
  const members = market.members.length;
  const column = (filled: number) => Array.from(days, () => new Float64Array(members).fill(filled));
  const panel: OutcomePanel = {
    members,
    days,
    first: first - from,
    closes: column(0),
    hasBar: Array.from(days, () => new Uint8Array(members)),
    next:
      entry === 'close'
        ? null
        : { opens: column(Number.NaN), rows: Array.from(days, () => new Int32Array(members).fill(-1)) },
    begins: new Int32Array(members).fill(days.length),
    ends: new Int32Array(members).fill(days.length),
    before: new Float64Array(members).fill(Number.NaN),
  };
  const waiting: MemberRows[] = [];
  for await (const visited of market.visit()) {
    waiting.push(rowsOf(panel, visited));
    if (waiting.length === SIDE_BY_SIDE) write(panel, waiting.splice(0));
  }
  write(panel, waiting);
  return panel;
}

/** A member by row, as the panel has it. */
interface MemberRows {
  readonly member: number;
  readonly closes: Float64Array;
  readonly hasBar: Uint8Array;
  readonly opens: Float64Array;
  readonly entries: Int32Array;
}

function rowsOf({ days, next, begins, ends, before }: OutcomePanel, visited: VisitedMember): MemberRows {
  const { member, series, isDelisted } = visited;
  const { day, open, length } = series;
  const held = heldPrices(series);
  const entered = next === null ? 0 : days.length;
  const rows: MemberRows = {
    member,
    closes: new Float64Array(days.length),
    hasBar: new Uint8Array(days.length),
    opens: new Float64Array(entered).fill(Number.NaN),
    entries: new Int32Array(entered).fill(-1),
  };
  const earlier = lowerBound(day, days[0]) - 1;
  if (earlier >= 0) before[member] = day[earlier];
  let bar = earlier + 1;
  let waiting = 0;
  for (let row = 0; row < days.length; row++) {
    const isOn = bar < length && day[bar] === days[row];
    for (; isOn && next !== null && waiting < row; waiting++) {
      rows.opens[waiting] = open[bar];
      rows.entries[waiting] = row;
    }
    if (isOn) bar++;
    if (bar > 0) rows.closes[row] = held[bar - 1];
    if (bar > 0 && begins[member] > row) begins[member] = row;
    rows.hasBar[row] = Number(isOn);
    if (isOn && isDelisted && bar === length) ends[member] = row;
  }
  return rows;
}

function write({ closes, hasBar, next }: OutcomePanel, some: readonly MemberRows[]): void {
  for (let row = 0; row < closes.length; row++) {
    for (const one of some) {
      closes[row][one.member] = one.closes[row];
      hasBar[row][one.member] = one.hasBar[row];
      if (next === null) continue;
      next.opens[row][one.member] = one.opens[row];
      next.rows[row][one.member] = one.entries[row];
    }
  }
}
