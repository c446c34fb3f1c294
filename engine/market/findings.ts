/** Doubts about a history as traded: events that its prices contradict, jumps like those of splits, and long holes. */
import { type Adjustment, type AdjustmentKind, SHARE_COUNT_KINDS } from './adjust.ts';
import { sessionAfter, sessionsAfter } from './calendar.ts';
import { type Day, formatDay } from './dates.ts';
import { type BarSeries, firstIndexFrom } from './series.ts';

export const FINDING_KINDS = ['contradicted', 'split_suspected', 'hole'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export interface Finding {
  readonly kind: FindingKind;
  /** The ex-date, the day of the jump, or the first session without a bar. */
  readonly day: Day;
  readonly details: {
    readonly event?: AdjustmentKind;
    /** The factor of the event, or of the split that the jump looks like. */
    readonly factor?: number;
    /** From the close before to the close of the day. */
    readonly move_pct?: number;
    /** The move once prices are adjusted for the event. */
    readonly adjusted_move_pct?: number;
    /** The next day with a bar, YYYY-MM-DD, and the sessions without one before it. */
    readonly until?: string;
    readonly sessions?: number;
  };
}

/** Events that change a price by less than this cannot be told from its usual moves. */
const LEAST_CHANGE = { shares: 0.02, payment: 0.1 } as const;
/** By how much the move must be larger after the event than before it. */
const LARGER_MOVE = 0.02;
/** Log returns before the event, from so many on, whose deviations a move must exceed; the move itself where there are fewer. */
const USUAL = { returns: 60, least: 20, deviations: 5, otherwise: 0.1 } as const;

const SHARES = [2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 100, 3 / 2];
const SPLIT_RATIOS = SHARES.flatMap((shares) => [1 / shares, shares]);
/** Relative distance of the open and the close from a ratio. */
const NEAR = { open: 0.04, close: 0.15 } as const;
/** No ratio is near a smaller move. */
const SMALL_MOVE = { above: (2 / 3) * (1 + NEAR.close), below: (3 / 2) * (1 - NEAR.close) } as const;
/** Sessions within which an event explains a jump. */
const EXPLAINS = 3;
const HOLE_SESSIONS = 60;

const percent = (share: number) => Math.round(share * 1e6) / 1e4;

/** `events`: oldest first. */
export function findEventDoubts(series: BarSeries, events: readonly Adjustment[]): Finding[] {
  return [...contradicted(series, events), ...suspectedSplits(series, events)].sort((a, b) => a.day - b.day);
}

function contradicted(series: BarSeries, events: readonly Adjustment[]): Finding[] {
  const { day, close, length } = series;
  return events.flatMap((event): Finding[] => {
    const { exDay, kind, factor } = event;
    const i = firstIndexFrom(series, exDay);
    const isOfShares = SHARE_COUNT_KINDS.includes(kind);
    if (i === 0 || i === length || Math.abs(factor - 1) <= LEAST_CHANGE[isOfShares ? 'shares' : 'payment']) return [];
    const move = close[i] / close[i - 1] - 1;
    // Events between the same two bars explain the move together.
    const adjusted = (move + 1) / factorBetween(events, day[i - 1], day[i]) - 1;
    if (Math.abs(adjusted) <= Math.abs(move) + LARGER_MOVE) return [];
    if (Math.abs(Math.log1p(adjusted)) <= usualMove(series, events, i)) return [];
    const moves = { move_pct: percent(move), adjusted_move_pct: percent(adjusted) };
    return [{ kind: 'contradicted', day: exDay, details: { event: kind, factor, ...moves } }];
  });
}

/** The product of the factors of events after a day and up to another one. */
function factorBetween(events: readonly Adjustment[], after: Day, through: Day): number {
  let factor = 1;
  for (const event of events) if (event.exDay > after && event.exDay <= through) factor *= event.factor;
  return factor;
}

/** The log return that is unusual at a bar, by those before it. */
function usualMove({ day, close }: BarSeries, events: readonly Adjustment[], bar: number): number {
  const from = Math.max(1, bar - USUAL.returns);
  const count = bar - from;
  if (count < USUAL.least) return USUAL.otherwise;
  const returns = Array.from({ length: count }, (_, i) => {
    const at = from + i;
    return Math.log(close[at] / close[at - 1] / factorBetween(events, day[at - 1], day[at]));
  });
  const mean = returns.reduce((sum, one) => sum + one, 0) / count;
  const squares = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return USUAL.deviations * Math.sqrt(squares / (count - 1));
}

function suspectedSplits({ day, open, close, length }: BarSeries, events: readonly Adjustment[]): Finding[] {
  const found: Finding[] = [];
  for (let i = 1; i < length; i++) {
    const move = close[i] / close[i - 1];
    if (move > SMALL_MOVE.above && move < SMALL_MOVE.below) continue;
    const opened = open[i] / close[i - 1];
    const isNear = (ratio: number) =>
      Math.abs(opened / ratio - 1) <= NEAR.open && Math.abs(move / ratio - 1) <= NEAR.close;
    const factor = SPLIT_RATIOS.find(isNear);
    if (factor === undefined || isExplained(day[i], events)) continue;
    found.push({ kind: 'split_suspected', day: day[i], details: { factor, move_pct: percent(move - 1) } });
  }
  return found;
}

function isExplained(day: Day, events: readonly Adjustment[]): boolean {
  return events.some(({ kind, exDay }) => {
    // Three sessions may take a week and a day, with a holiday and a closure.
    if (!SHARE_COUNT_KINDS.includes(kind) || Math.abs(day - exDay) > 10) return false;
    return sessionsAfter(Math.min(day, exDay), Math.max(day, exDay)) <= EXPLAINS;
  });
}

/** Long stretches without a bar. `series`: of one venue basis. */
export function findHoles({ day, length }: Pick<BarSeries, 'day' | 'length'>): Finding[] {
  const found: Finding[] = [];
  for (let i = 1; i < length; i++) {
    if (day[i] - day[i - 1] <= HOLE_SESSIONS) continue;
    const sessions = sessionsAfter(day[i - 1], day[i] - 1);
    if (sessions < HOLE_SESSIONS) continue;
    found.push({ kind: 'hole', day: sessionAfter(day[i - 1]), details: { until: formatDay(day[i]), sessions } });
  }
  return found;
}
