/** Notes of a result. A new one also needs its text in each language, `backtest.<code>` in the API's messages. */
import {
  type Dealings,
  type DealtRange,
  heldSpinOffs,
  largestOrder,
  splitDays,
  unpricedDelistings,
} from '../../engine/backtest/doubts.ts';
import { FEW_TRADES, type Metrics, YEAR_DAYS } from '../../engine/backtest/metrics.ts';
import type { AdjustMode, Adjustment } from '../../engine/market/adjust.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { figure, finiteOrNull } from '../../engine/market/figures.ts';
import type { HistoryGaps } from '../../engine/market/history-gaps.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/venue-basis.ts';
import { keysOf } from '../../engine/util/values.ts';
import type { BacktestSpec } from '../contracts/backtest.ts';

/** Levels by code. Results store the codes. */
export const NOTE_LEVELS = {
  no_cost_model: 'info',
  mixed_session_source: 'warning',
  incomplete_history: 'warning',
  missing_bars: 'info',
  survivorship: 'warning',
  point_in_time: 'info',
  price_return: 'info',
  few_trades: 'info',
  short_track_record: 'info',
  groups_as_of_today: 'info',
  volume_basis_changes: 'warning',
  line_ended: 'warning',
  weights_undefined: 'warning',
  filter_undefined: 'warning',
  exhausted: 'warning',
  figures_overflow: 'warning',
  prices_jump_at_split: 'warning',
  spin_off_counted_as_loss: 'warning',
  capacity: 'warning',
  delisting_price: 'warning',
  levels_as_adjusted: 'warning',
  risk_free_gaps: 'warning',
  cash_rate_gaps: 'warning',
  factor_undefined: 'warning',
  /** These are only in answers; no result stores them. */
  data_suspect: 'warning',
  cut_by_plan: 'warning',
} as const;
export type NoteCode = keyof typeof NOTE_LEVELS;
export const NOTE_CODES = keysOf(NOTE_LEVELS);

/** A result gets the note `missing_bars` when more than this share of its sessions have no bar. */
const NOTED_MISSING_BARS = 0.02;

/**
 * Notes on the figures of one run with `bars` in its range. `minTrackRecordBars`: its minimum track record; null: the Sharpe ratio is
 * not above 0.
 */
export function evidenceNotes(
  { numTrades, annualizedPct }: Pick<Metrics, 'numTrades' | 'annualizedPct'>,
  bars: number,
  minTrackRecordBars: number | null,
): readonly NoteCode[] {
  const codes: NoteCode[] = [];
  // Without a second bar no time has passed.
  if (annualizedPct === null && bars > 1) codes.push('figures_overflow');
  if (numTrades < FEW_TRADES) codes.push('few_trades');
  if (minTrackRecordBars === null || bars < minTrackRecordBars) codes.push('short_track_record');
  return codes;
}

/** The note that dividends or spin-offs after the first day of the range, up to the last, are not counted, because `adjust` is not total return. */
export function dividendNotes(
  adjust: AdjustMode,
  events: readonly Adjustment[],
  first: Day,
  last: Day,
): readonly NoteCode[] {
  const isPaid = events.some(
    ({ kind, exDay }) => (kind === 'cash_dividend' || kind === 'spin_off') && exDay > first && exDay <= last,
  );
  return isPaid && adjust !== 'total' ? ['price_return'] : [];
}

/** The note of a search or sweep that a return of a delisting in its range is not known; it does not look at single positions. */
export function delistingNotes(isUnpriced: boolean): readonly NoteCode[] {
  return isUnpriced ? ['delisting_price'] : [];
}

/** The facts in the text of a note. */
export interface NoteDetails {
  /** Ex-dates of splits, the first ones. */
  readonly days?: string[];
  /** The number of all; of nights without a rate. */
  readonly count?: number;
  readonly symbol?: string;
  readonly day?: string;
  /** The share of the price that left. */
  readonly percent?: number;
  /** The largest order in money, and its share of the usual dollar volume of a day. */
  readonly order?: number;
  readonly share_pct?: number | null;
  /** Whether the volume is that of one venue. */
  readonly single_venue?: boolean;
  /** Instruments that ended in the range, of so many instruments × years. */
  readonly ended?: number;
  readonly instrument_years?: number;
  /** Positions that a delisting closed, of names that had failed, and what their usual return would change, in points. */
  readonly failed?: number;
  readonly points?: number | null;
}

export type DetailsByCode = Partial<Record<NoteCode, NoteDetails>>;

const MOST_DAYS = 20;

/** Notes on what a run owes to its prices and orders. */
export function doubtNotes(all: readonly Dealings[], range: DealtRange, initialCapital: number): DetailsByCode {
  const details: DetailsByCode = {};
  const days = splitDays(all, range);
  if (days.length > 0)
    details.prices_jump_at_split = { days: days.slice(0, MOST_DAYS).map(formatDay), count: days.length };
  const spinOffs = heldSpinOffs(all, range);
  if (spinOffs.length > 0) {
    const [{ symbol, day, percent }] = spinOffs;
    details.spin_off_counted_as_loss = {
      symbol,
      day: formatDay(day),
      percent: figure(percent, 2),
      count: spinOffs.length,
    };
  }
  const order = largestOrder(all, range);
  if (order !== null) {
    details.capacity = {
      symbol: order.symbol,
      day: formatDay(order.day),
      order: figure(order.amount, 2),
      share_pct: figure(finiteOrNull(100 * order.share), 1),
      single_venue: order.day < CONSOLIDATED_FROM,
    };
  }
  const { count, failed, effect } = unpricedDelistings(all);
  const points = figure(finiteOrNull((100 * effect) / initialCapital), 2);
  if (count > 0) details.delisting_price = failed > 0 ? { count, failed, points } : { count };
  return details;
}

/** A list of fewer instruments × years may have no end. */
const LEAST_INSTRUMENT_YEARS = 100;
/** A list with a smaller share of ends a year was probably made from survivors: 4 to 6 % of US listings end a year. */
const EXPECTED_ENDED = 0.01;

/** An instrument of a list or universe; funds, which end less often, do not count. */
export interface Survivor {
  readonly isEtf?: boolean | undefined;
  /** Whether its last bar of all is in the range. */
  readonly hasEnded: boolean;
}

/** `days`: calendar days of the range. */
export function survivorNotes(instruments: readonly Survivor[], days: number): DetailsByCode {
  const counted = instruments.filter(({ isEtf }) => !isEtf);
  const years = (counted.length * days) / YEAR_DAYS;
  const ended = counted.filter(({ hasEnded }) => hasEnded).length;
  if (years < LEAST_INSTRUMENT_YEARS || ended >= EXPECTED_ENDED * years) return {};
  return { survivorship: { ended, instrument_years: Math.round(years) } };
}

/** `isPointInTime`: whether the instruments were chosen by what was known before the range. */
export function chosenNotes(isPointInTime: boolean): readonly NoteCode[] {
  return isPointInTime ? ['point_in_time'] : [];
}

/** `isMixed`: whether the range has primary-session bars. */
export function noteCodesOf(
  spec: Pick<BacktestSpec, 'isCostless'>,
  isMixed: boolean,
  gaps: Pick<HistoryGaps, 'missingSessions' | 'missingBarsShare'>,
): readonly NoteCode[] {
  const codes: NoteCode[] = [];
  if (spec.isCostless) codes.push('no_cost_model');
  if (isMixed) codes.push('mixed_session_source');
  if (gaps.missingSessions.count > 0) codes.push('incomplete_history');
  if (gaps.missingBarsShare > NOTED_MISSING_BARS) codes.push('missing_bars');
  return codes;
}
