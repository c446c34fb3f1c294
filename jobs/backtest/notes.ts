/** Notes of a result. A new one also needs its text in each language, `backtest.<code>` in the API's messages. */
import type { HistoryGaps } from '../../engine/market/history-gaps.ts';
import type { BacktestSpec } from './contract.ts';

/** Codes and levels; results keep the codes. */
export const NOTE_LEVELS = {
  no_cost_model: 'info',
  mixed_session_source: 'warning',
  incomplete_history: 'warning',
  missing_bars: 'info',
  survivorship: 'warning',
  point_in_time: 'info',
} as const;
export type NoteCode = keyof typeof NOTE_LEVELS;
export const NOTE_CODES = Object.keys(NOTE_LEVELS) as [NoteCode, ...NoteCode[]];

/** A result gets the note `missing_bars` when more than this share of its sessions have no bar. */
const NOTED_MISSING_BARS = 0.02;

/** `isMixed`: whether bars of the primary session are in the range. */
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
