/** The range of a result in words, with its notes. */
import { requireDay } from '../../engine/market/dates.ts';
import { withoutMarket } from '../../engine/market/symbols.ts';
import type { RangeReason } from '../../engine/market/time-range.ts';
import { rotationReadsLevels } from '../../engine/rotation/rules.ts';
import { readLevels } from '../../engine/rules/strategy.ts';
import { NOTE_LEVELS, type NoteCode, type NoteDetails } from '../../jobs/runs/notes.ts';
import type { BacktestSummary } from '../../jobs/runs/summary.ts';
import type { z } from '../http/input/fields.ts';
import { labelText } from '../http/language/labels.ts';
import { joinSentences, type Locale } from '../http/language/locale.ts';
import { suspectNotes } from '../market/doubts.ts';
import type { MarketView } from '../market/market-view.ts';
import type { dataRangeSchema, noteSchema } from './schemas.ts';

/** The market at the time when a result is shown: what it tells of the data is not part of the result. */
export type MarketNow = Pick<MarketView, 'isBeingLoaded' | 'findings' | 'directory'>;

/** The parts of a run that are described, whatever its kind. */
export type Described = Pick<BacktestSummary, 'data_range' | 'note_codes' | 'note_details'> &
  Partial<Pick<BacktestSummary, 'symbol' | 'rules'>> & {
    readonly symbols?: readonly string[];
    readonly universe?: { readonly where?: string };
    readonly rotation?: { readonly score: string; readonly market_filter?: string };
  };

function readsLevels({ rules, universe, rotation }: Described): boolean {
  if (!rotation) return rules !== undefined && readLevels(rules);
  return rotationReadsLevels({ where: universe?.where, score: rotation.score, market_filter: rotation.market_filter });
}

type DataRange = z.input<typeof dataRangeSchema>;

/** The range of a result in the caller's language, with the notes that belong to it. */
export function describeRange(
  described: Described,
  locale: Locale,
  market: MarketNow,
): { readonly data_range: DataRange; readonly notes: z.input<typeof noteSchema>[] } {
  const { data_range, note_codes, note_details = {}, symbol } = described;
  const { symbols = symbol === undefined ? [] : [symbol] } = described;
  const { reason_codes, missing_sessions: missing, missing_bars, ...facts } = data_range;
  const ranges = missing?.ranges.map(({ start, end }) => ({ start: requireDay(start), end: requireDay(end) })) ?? [];
  const isLoading = market.isBeingLoaded('spliced', ranges);
  const items = symbols.flatMap((one) => market.directory.bySymbol.get(withoutMarket(one)) ?? []);
  const [start, end] = [facts.actual_start, facts.actual_end].map(requireDay);
  const spans = items.map((item) => ({ item, start, end }));
  const prices = [...new Set(items.map(({ instrument }) => instrument.prices))];
  /** A text about missing sessions, with a note when they are being loaded. */
  const note = (message: string) =>
    isLoading ? joinSentences(locale, message, labelText('history.being_loaded', locale)) : message;
  const hintOf = (code: RangeReason) => {
    const hint = labelText(`range.${code}`, locale, { start: facts.actual_start, end: facts.actual_end });
    return code === 'not_loaded' ? note(hint) : hint;
  };
  const counts: Partial<Record<NoteCode, number>> = { incomplete_history: missing?.count, missing_bars };
  const messageOf = (code: NoteCode) => {
    const details = note_details[code];
    const message = labelText(details?.share_pct === null ? 'backtest.capacity_untraded' : `backtest.${code}`, locale, {
      count: String(counts[code] ?? 0),
      ...wordsOf(details),
    });
    const more = details && moreOf(details);
    if (more) return joinSentences(locale, message, labelText(more, locale, wordsOf(details)));
    return code === 'incomplete_history' ? note(message) : message;
  };
  const isAsAdjusted = prices.some((form) => form !== 'as_traded') && readsLevels(described);
  const codes = isAsAdjusted ? [...note_codes, 'levels_as_adjusted' as const] : note_codes;
  return {
    data_range: {
      ...facts,
      prices: prices.length > 1 ? 'mixed' : prices[0],
      reason_codes: facts.truncated ? [...reason_codes] : undefined,
      hints: facts.truncated ? reason_codes.map(hintOf) : undefined,
      missing_sessions: missing && { count: missing.count, ranges: [...missing.ranges] },
      missing_bars,
    },
    notes: [
      ...codes.map((code) => ({
        code,
        level: NOTE_LEVELS[code],
        message: messageOf(code),
        details: note_details[code] && { ...note_details[code] },
      })),
      ...suspectNotes(market, spans, locale),
    ],
  };
}

/** A second sentence of a note. */
function moreOf({ single_venue, ended, failed }: NoteDetails) {
  if (single_venue) return 'backtest.capacity_venue';
  if (failed !== undefined) return 'backtest.delisting_price_points';
  return ended === undefined ? null : 'backtest.survivorship_numbers';
}

/** The details of a note as they stand in its text. */
function wordsOf({ days = [], count = 0, ...details }: NoteDetails = {}): Record<string, string> {
  const more = count > days.length ? ['…'] : [];
  const written = Object.entries(details).map(([name, value]) => [name, (value ?? 0).toLocaleString('en-US')]);
  return { ...Object.fromEntries(written), days: [...days, ...more].join(', ') };
}
