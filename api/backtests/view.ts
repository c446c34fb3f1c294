/** Results in the caller's language. The long arrays are passed on as the worker wrote them. */

import { text } from 'node:stream/consumers';
import type { Run } from '../../db/backtests/backtest-runs.ts';
import type { SavedBacktest } from '../../db/backtests/kept-backtests.ts';
import type { ResultPart, StoredResult } from '../../db/backtests/run-results.ts';
import { ServiceError } from '../../engine/errors.ts';
import { requireDay } from '../../engine/market/dates.ts';
import type { DayRange } from '../../engine/market/session-ledger.ts';
import type { RangeReason } from '../../engine/market/time-range.ts';
import { NOTE_LEVELS, type NoteCode } from '../../jobs/backtest/notes.ts';
import { type ReportedSelection, storedSelection } from '../../jobs/backtest/statistics.ts';
import { type BacktestSummary, backtestSummary } from '../../jobs/backtest/summary.ts';
import type { PortfolioSummary } from '../../jobs/portfolio/summary.ts';
import { portfolioSummary } from '../../jobs/portfolio/summary.ts';
import { backtestKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { type JsonMember, jsonObject } from '../http/answer/json-text.ts';
import { JsonText } from '../http/answer/reply.ts';
import type { z } from '../http/input/fields.ts';
import { labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import { joinSentences } from '../http/language/text.ts';
import type { lastVerdictSchema } from './evidence-schemas.ts';
import type { dataRangeSchema, historyItemSchema, noteSchema } from './schemas.ts';
import { sentencesOf } from './statistics-view.ts';

interface Identification {
  /** Null when the result is not kept. */
  readonly id: number | null;
  readonly createdAt: Date;
  readonly isCached: boolean;
  readonly selection: ReportedSelection | null;
  /** The verdicts that there are on what is kept. */
  readonly verdicts?: { readonly verification?: LastVerdict; readonly look_ahead?: object };
}

type LastVerdict = z.input<typeof lastVerdictSchema>;

function lastVerdict({ verdict, verifiedAt }: SavedBacktest): LastVerdict | null {
  return verdict && verifiedAt && { verdict, verified_at: verifiedAt.toISOString() };
}

/** Whether a load is filling sessions of these ranges now. Checked when a result is shown, and not part of the result. */
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
  /** A text about missing sessions, with a note when they are being loaded. */
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

type SummaryFields = Omit<BacktestSummary, 'symbol'> & Pick<PortfolioSummary, 'bars_read'>;

/** The fields of either kind by which a view goes. */
const fieldsOf = (summary: SummaryFields): SummaryFields => summary;

/** The `data` of a result. */
function resultText(
  summary: BacktestSummary | PortfolioSummary,
  id: Identification,
  parts: readonly JsonMember[],
  locale: Locale,
  isBeingLoaded: IsBeingLoaded,
): JsonText {
  const {
    note_codes,
    data_range,
    statistics,
    selection_basis: _basis,
    bars_read: _read,
    ...figures
  } = fieldsOf(summary);
  const described = describeRange({ note_codes, data_range }, locale, isBeingLoaded);
  const head = {
    id: id.id,
    created_at: id.createdAt.toISOString(),
    ...figures,
    data_range: described.data_range,
    notes: described.notes,
    statistics: statistics && {
      ...statistics,
      sentences: sentencesOf({ statistics, selection: id.selection }, locale),
    },
    selection: id.selection ?? undefined,
    ...id.verdicts,
    disclaimer: labelText('backtest.disclaimer', locale),
    cached: id.isCached,
  };
  return new JsonText(jsonObject(head, parts));
}

/** The result of a run that is done. */
export function runResultText(
  run: Run & { readonly result: StoredResult },
  wanted: readonly ResultPart[],
  locale: Locale,
  isBeingLoaded: IsBeingLoaded,
): JsonText {
  const { backtestId, createdAt, isCached, result } = run;
  const selection = storedSelection(run);
  const parts = wanted.map((part): JsonMember => [part, result[part] ?? '[]']);
  const id = { id: backtestId, createdAt, isCached: isCached === true, selection };
  return resultText(JSON.parse(result.summary), id, parts, locale, isBeingLoaded);
}

/** One of the long arrays of a kept backtest as JSON. A backtest without its objects counts as deleted. */
export async function readPart(
  storage: ObjectStorage,
  { userId, id }: SavedBacktest,
  part: ResultPart,
): Promise<string> {
  const stream = await storage.get(backtestKey(userId, id, part));
  if (!stream) throw new ServiceError('not_found');
  return text(stream);
}

/** The result of a kept backtest. With `isShared` it has no id, which only its owner may know. */
export async function savedResultText(
  storage: ObjectStorage,
  saved: SavedBacktest,
  wanted: readonly ResultPart[],
  locale: Locale,
  isBeingLoaded: IsBeingLoaded,
  isShared = false,
): Promise<JsonText> {
  const parts = await Promise.all(
    wanted.map(async (part): Promise<JsonMember> => [part, await readPart(storage, saved, part)]),
  );
  const selection = storedSelection(saved);
  const verdicts = { verification: lastVerdict(saved) ?? undefined, look_ahead: saved.lookAhead ?? undefined };
  const { createdAt, isCached } = saved;
  const id = { id: isShared ? null : saved.id, createdAt, isCached, selection, verdicts };
  return resultText(storedSummary(saved).summary, id, parts, locale, isBeingLoaded);
}

/** A kept backtest or portfolio in the history. */
export function historyItem(saved: SavedBacktest): z.input<typeof historyItemSchema> {
  const stored = storedSummary(saved);
  const listed = listedFigures(saved, stored.summary);
  return stored.kind === 'portfolio'
    ? { kind: stored.kind, symbols_count: stored.summary.symbols.length, ...listed }
    : { kind: stored.kind, symbol: stored.summary.symbol, ...listed };
}

function listedFigures(saved: SavedBacktest, figures: BacktestSummary | PortfolioSummary) {
  return {
    id: saved.id,
    created_at: saved.createdAt.toISOString(),
    strategy: figures.strategy,
    time_range: figures.time_range,
    start_date: figures.start_date,
    end_date: figures.end_date,
    engine_version: figures.engine_version,
    num_trades: figures.num_trades,
    win_rate: figures.win_rate,
    total_pnl_pct: figures.total_pnl_pct,
    annualized_pct: figures.annualized_pct,
    max_drawdown_pct: figures.max_drawdown_pct,
    sharpe: figures.sharpe,
    profit_factor: figures.profit_factor,
    buy_hold_pnl_pct: figures.buy_hold_pnl_pct,
    excess_return_pct: figures.excess_return_pct,
    shared: saved.isShared,
    slug: saved.slug,
    verification: lastVerdict(saved),
  };
}

/** The summary of what is kept, in the form in which every version has written that kind. */
export function storedSummary({ kind, summary }: SavedBacktest) {
  return kind === 'portfolio'
    ? { kind, summary: portfolioSummary(summary) }
    : { kind, summary: backtestSummary(summary) };
}
