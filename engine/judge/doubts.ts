/** Doubts about a record that may not be what it seems. They are told, and nothing of the record is changed. */
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

/** The doubt about values that are taken for returns; null: there is none. */
export function doubtOf({ values }: RecordColumn): RecordDoubt | null {
  let [count, large, high] = [0, 0, 0];
  let isLost = false;
  for (let t = 0; t < values.length; t++) {
    const value = values[t];
    if (Number.isNaN(value)) continue;
    count++;
    if (Math.abs(value) > LARGE_RETURN) large++;
    if (value > LEAST_EQUITY) high++;
    if (value < -1) isLost = true;
  }
  if (count === 0) return null;
  if (high === count) return 'equity';
  return isLost || isMedianLarge(values, count, large) ? 'percent' : null;
}

/** Whether the median size is large. Sizes are sorted only where half of them are, so that the median is between the two halves. */
function isMedianLarge(values: Float64Array, count: number, large: number): boolean {
  if (2 * large !== count) return 2 * large > count;
  const sizes = values
    .filter((value) => !Number.isNaN(value))
    .map(Math.abs)
    .sort();
  return (sizes[count / 2 - 1] + sizes[count / 2]) / 2 > LARGE_RETURN;
}
