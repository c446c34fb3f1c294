/** What is said about a record that may not be what it seems. Nothing of it is changed. */
import type { RecordColumn } from './streams.ts';

/** Their levels by code. */
export const JUDGE_NOTES = {
  frequency_guessed: 'info',
  realized_only: 'info',
  no_benchmark: 'info',
  assumed: 'info',
  short_record: 'info',
  figures_only: 'info',
  gaps: 'warning',
  no_session: 'warning',
  duplicates: 'warning',
  benchmark_gaps: 'warning',
  risk_free_gaps: 'warning',
  percent: 'warning',
  equity: 'warning',
  empty_streams: 'warning',
  mixed_frequency: 'warning',
  few_common: 'warning',
} as const;
export type JudgeNoteCode = keyof typeof JUDGE_NOTES;

export interface JudgeNote {
  readonly code: JudgeNoteCode;
  readonly details: Readonly<Record<string, number | string>>;
  /** The streams that it is about, the first ones; absent: the record. */
  readonly streams?: readonly string[];
}

/** Names that a note has at most. */
const MOST_NAMES = 20;

export function noteOn(
  code: JudgeNoteCode,
  streams: readonly string[],
  details: Readonly<Record<string, number | string>> = {},
): JudgeNote[] {
  if (streams.length === 0) return [];
  return [{ code, details: { ...details, streams: streams.length }, streams: streams.slice(0, MOST_NAMES) }];
}

/** A return of most days above this, either way, is taken for one in percent. */
const LARGE_RETURN = 0.05;
/** Returns that are all above this are taken for an equity curve. */
const LEAST_EQUITY = 0.5;

export type RecordDoubt = 'percent' | 'equity';

/** What returns look like instead; null: returns. */
export function doubtOf({ values }: RecordColumn): RecordDoubt | null {
  const given = values.filter((value) => !Number.isNaN(value));
  if (given.length === 0) return null;
  if (given.every((value) => value > LEAST_EQUITY)) return 'equity';
  const sizes = given.map(Math.abs).sort();
  const middle = (sizes.length - 1) / 2;
  const median = (sizes[Math.floor(middle)] + sizes[Math.ceil(middle)]) / 2;
  return median > LARGE_RETURN || given.some((value) => value < -1) ? 'percent' : null;
}
