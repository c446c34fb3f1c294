/** Results as callers see them: figures and texts in their language, and the long arrays as the worker wrote them. */
import { text } from 'node:stream/consumers';
import type { Run, StoredResult } from '../../db/backtests/backtest-runs.ts';
import type { SavedBacktest } from '../../db/backtests/kept-backtests.ts';
import { ServiceError } from '../../engine/errors.ts';
import { requireDay } from '../../engine/market/dates.ts';
import type { DayRange } from '../../engine/market/session-ledger.ts';
import type { RangeReason } from '../../engine/market/time-range.ts';
import { BACKTEST_PARTS, type BacktestPart } from '../../jobs/backtest/contract.ts';
import { NOTE_LEVELS, type NoteCode } from '../../jobs/backtest/notes.ts';
import type { BacktestSummary } from '../../jobs/backtest/summary.ts';
import { backtestKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { JsonText } from '../http/answer/reply.ts';
import type { z } from '../http/input/fields.ts';
import { labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import { joinSentences } from '../http/language/text.ts';
import type { Include } from './request.ts';
import type { dataRangeSchema, noteSchema } from './schemas.ts';

interface Identification {
  /** Null where nothing is kept. */
  readonly id: number | null;
  readonly createdAt: Date;
  readonly isCached: boolean;
}

type Parts = Readonly<Partial<Record<BacktestPart, string>>>;

/** Whether a load is filling sessions of these ranges now. It is asked when a result is shown and is no part of it. */
export type IsBeingLoaded = (ranges: readonly DayRange[]) => boolean;

type DataRange = z.input<typeof dataRangeSchema>;

/** The range of a result in the caller's language, with the notes that belong to it. */
export function describeRange(
  { data_range, note_codes }: Pick<BacktestSummary, 'data_range' | 'note_codes'>,
  locale: Locale,
  isBeingLoaded: IsBeingLoaded,
): { readonly data_range: DataRange; readonly notes: z.input<typeof noteSchema>[] } {
  const { reason_codes, missing_sessions: missing, missing_bars, ...facts } = data_range;
  const ranges = missing?.ranges.map(({ start, end }) => ({ start: requireDay(start), end: requireDay(end) })) ?? [];
  const isLoading = isBeingLoaded(ranges);
  /** A text about missing sessions, and that they are being loaded. */
  const told = (message: string) =>
    isLoading ? joinSentences(locale, message, labelText('history.being_loaded', locale)) : message;
  const hintOf = (code: RangeReason) => {
    const hint = labelText(`range.${code}`, locale, { start: facts.actual_start, end: facts.actual_end });
    return code === 'not_loaded' ? told(hint) : hint;
  };
  const counts: Partial<Record<NoteCode, number>> = { incomplete_history: missing?.count, missing_bars };
  const messageOf = (code: NoteCode) => {
    const message = labelText(`backtest.${code}`, locale, { count: String(counts[code] ?? 0) });
    return code === 'incomplete_history' ? told(message) : message;
  };
  return {
    data_range: {
      ...facts,
      reason_codes: facts.truncated ? [...reason_codes] : undefined,
      hints: facts.truncated ? reason_codes.map(hintOf) : undefined,
      missing_sessions: missing && { count: missing.count, ranges: [...missing.ranges] },
      missing_bars,
    },
    notes: note_codes.map((code) => ({ code, level: NOTE_LEVELS[code], message: messageOf(code) })),
  };
}

/** The `data` of a result. */
function resultText(
  summary: BacktestSummary,
  id: Identification,
  parts: Parts,
  locale: Locale,
  isBeingLoaded: IsBeingLoaded,
): JsonText {
  const { note_codes, data_range, ...figures } = summary;
  const described = describeRange({ note_codes, data_range }, locale, isBeingLoaded);
  const head = JSON.stringify({
    id: id.id,
    created_at: id.createdAt.toISOString(),
    ...figures,
    data_range: described.data_range,
    notes: described.notes,
    disclaimer: labelText('backtest.disclaimer', locale),
    cached: id.isCached,
  });
  const arrays = BACKTEST_PARTS.filter((part) => parts[part] !== undefined).map((part) => `,"${part}":${parts[part]}`);
  return new JsonText(`${head.slice(0, -1)}${arrays.join('')}}`);
}

/** Of a run that is done. */
export function runResultText(
  run: Run & { readonly result: StoredResult },
  include: Include,
  locale: Locale,
  isBeingLoaded: IsBeingLoaded,
): JsonText {
  const { backtestId, createdAt, isCached, result } = run;
  const parts = Object.fromEntries(BACKTEST_PARTS.filter((part) => include[part]).map((part) => [part, result[part]]));
  const id = { id: backtestId, createdAt, isCached: isCached === true };
  return resultText(JSON.parse(result.summary), id, parts, locale, isBeingLoaded);
}

/** One of the long arrays of a kept backtest. Without its objects it is no backtest any more: they go together. */
export async function readPart(
  storage: ObjectStorage,
  { userId, id }: SavedBacktest,
  part: BacktestPart,
): Promise<string> {
  const stream = await storage.get(backtestKey(userId, id, part));
  if (!stream) throw new ServiceError('not_found');
  return text(stream);
}

/** Of a kept backtest; `isShared` leaves out what is its owner's business. */
export async function savedResultText(
  storage: ObjectStorage,
  saved: SavedBacktest,
  include: Include,
  locale: Locale,
  isBeingLoaded: IsBeingLoaded,
  isShared = false,
): Promise<JsonText> {
  const wanted = BACKTEST_PARTS.filter((part) => include[part]);
  const parts = await Promise.all(wanted.map(async (part) => [part, await readPart(storage, saved, part)] as const));
  const id = { id: isShared ? null : saved.id, createdAt: saved.createdAt, isCached: saved.isCached };
  return resultText(saved.summary as BacktestSummary, id, Object.fromEntries(parts), locale, isBeingLoaded);
}

const LISTED = [
  'symbol',
  'strategy',
  'time_range',
  'start_date',
  'end_date',
  'engine_version',
  'num_trades',
  'win_rate',
  'total_pnl_pct',
  'annualized_pct',
  'max_drawdown_pct',
  'sharpe',
  'profit_factor',
  'buy_hold_pnl_pct',
  'excess_return_pct',
] as const satisfies readonly (keyof BacktestSummary)[];

/** A line of the history. */
export function historyItem({ id, createdAt, summary, isShared, slug }: SavedBacktest) {
  const figures = summary as BacktestSummary;
  const listed = Object.fromEntries(LISTED.map((name) => [name, figures[name]])) as Pick<
    BacktestSummary,
    (typeof LISTED)[number]
  >;
  return { id, created_at: createdAt.toISOString(), ...listed, shared: isShared, slug };
}
