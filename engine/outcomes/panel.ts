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
  /** By member: the row of the last bar of a delisted instrument; the number of rows: it goes on. */
  readonly ends: Int32Array;
  /** By member: the day of its last bar before the rows; NaN: none. */
  readonly before: Float64Array;
}

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
    ends: new Int32Array(members).fill(days.length),
    before: new Float64Array(members).fill(Number.NaN),
  };
  for await (const visited of market.visit()) addBars(panel, visited);
  return panel;
}

function addBars(panel: OutcomePanel, { member, series, isDelisted }: VisitedMember): void {
  const { days, next } = panel;
  const { day, open, length } = series;
  const held = heldPrices(series);
  const earlier = lowerBound(day, days[0]) - 1;
  if (earlier >= 0) panel.before[member] = day[earlier];
  let bar = earlier + 1;
  let waiting = 0;
  for (let row = 0; row < days.length; row++) {
    const isOn = bar < length && day[bar] === days[row];
    for (; isOn && next !== null && waiting < row; waiting++) {
      next.opens[waiting][member] = open[bar];
      next.rows[waiting][member] = row;
    }
    if (isOn) bar++;
    if (bar > 0) panel.closes[row][member] = held[bar - 1];
    panel.hasBar[row][member] = Number(isOn);
    if (isOn && isDelisted && bar === length) panel.ends[member] = row;
  }
}
