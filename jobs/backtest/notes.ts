/** Notes of a result. A new one also needs its text in each language, `backtest.<code>` in the API's messages. */
import { FEW_TRADES, type Metrics } from '../../engine/backtest/metrics.ts';
import type { AdjustMode, Adjustment } from '../../engine/market/adjust.ts';
import type { Day } from '../../engine/market/dates.ts';
import type { HistoryGaps } from '../../engine/market/history-gaps.ts';
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
  figures_overflow: 'warning',
  /** Only in answers; no result stores it. */
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

/** A list with a smaller share of delisted instruments was probably made from survivors. */
const EXPECTED_DELISTED_SHARE = 0.05;

/** Notes on how instruments were chosen. */
export function survivorNotes(
  instruments: readonly { readonly delistedOn: Day | null }[],
  { asOf, isPointInTime }: { readonly asOf: Day; readonly isPointInTime: boolean },
): readonly NoteCode[] {
  const delisted = instruments.filter(({ delistedOn }) => delistedOn !== null && delistedOn <= asOf).length;
  const notes: NoteCode[] = delisted < EXPECTED_DELISTED_SHARE * instruments.length ? ['survivorship'] : [];
  if (isPointInTime) notes.push('point_in_time');
  return notes;
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
