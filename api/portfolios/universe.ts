/** The instruments of portfolios and sweeps: those of a list of symbols, or those that a screen finds. */
import { selectInstrumentsTraded } from '../../db/market/bars.ts';
import type { Queryable } from '../../db/pool.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { rangeStart, type TimeRange } from '../../engine/market/time-range.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { SkippedSymbols } from '../../jobs/contracts/portfolio.ts';
import type { z } from '../http/input/fields.ts';
import { refuse } from '../http/input/request-failure.ts';
import type { DirectoryItem } from '../market/directory.ts';
import { findSymbols, NAMED_SYMBOLS } from '../market/symbol-list.ts';
import { namedInstruments } from '../rules/resolve.ts';
import { screenUniverse } from '../screener/as-of.ts';
import { readCallersScreen, type screenField, tickersOf } from '../screener/request.ts';
import type { ScreenCall } from '../screener/services.ts';

export interface Universe {
  /** By symbol. */
  readonly items: readonly DirectoryItem[];
  /** The session at which a screen chose them; null if they were listed. */
  readonly screenedOn: Day | null;
  readonly skipped: SkippedSymbols | null;
}

interface ScreenedRange {
  readonly start?: Day;
  readonly end?: Day;
  readonly time_range: TimeRange;
}

/**
 * The instruments that a screen finds at the last session before a range, so that no later figure influences the choice. Throws if the
 * range has no start, or if the screen finds nothing.
 */
export async function screenedUniverse(
  call: ScreenCall,
  screen: z.output<typeof screenField>,
  { start, end, time_range }: ScreenedRange,
  at: readonly string[],
): Promise<Universe> {
  const { market } = call.services;
  const whole = { ...screen, offset: 0, closes: 0, condition_columns: false };
  namedInstruments(tickersOf(await readCallersScreen(call, whole, at)), market.directory);
  const last = Math.min(end ?? market.distributableDay, market.newestSession ?? market.distributableDay);
  const first = start ?? rangeStart(time_range, last);
  if (first === null) refuse(at, { code: 'only_with', details: { name: 'start' } });
  const { asOf, items } = await screenUniverse(call, whole, first - 1);
  if (items.length === 0) refuse(at, { code: 'screen_found_nothing', details: { date: formatDay(asOf) } });
  return { items: items.toSorted((a, b) => (a.qualified < b.qualified ? -1 : 1)), screenedOn: asOf, skipped: null };
}

interface GivenUniverse extends ScreenedRange {
  readonly symbols?: readonly string[];
  readonly screen?: z.output<typeof screenField>;
  readonly skip_unknown: boolean;
}

/** The instruments that a body lists, or that its screen finds. Throws if it has both or neither. */
export async function universeOf(call: ScreenCall, given: GivenUniverse): Promise<Universe> {
  const { symbols, screen, skip_unknown } = given;
  const details = { one: 'symbols', other: 'screen' };
  if ((symbols === undefined) === (screen === undefined)) refuse(['body', 'symbols'], { code: 'either_or', details });
  if (screen !== undefined) return screenedUniverse(call, screen, given, ['body', 'screen']);
  const { directory } = call.services.market;
  return { ...findSymbols(directory, symbols ?? [], skip_unknown), screenedOn: null };
}

/** The instruments that have a bar in the range. Throws if there are none. */
export async function withBars<I extends { readonly instrumentId: number; readonly symbol: string }>(
  db: Queryable,
  instruments: readonly I[],
  { start, end, asOf }: { readonly start: Day | null; readonly end: Day | null; readonly asOf: Day },
): Promise<I[]> {
  const ids = instruments.map(({ instrumentId }) => instrumentId);
  const found = new Set(await selectInstrumentsTraded(db, ids, start, Math.min(end ?? asOf, asOf)));
  if (found.size > 0) return instruments.filter(({ instrumentId }) => found.has(instrumentId));
  const named = instruments.slice(0, NAMED_SYMBOLS).map(({ symbol }) => symbol);
  throw new ServiceError('no_bars_in_range', {
    symbol: named.join(', ') + (instruments.length > NAMED_SYMBOLS ? ', …' : ''),
  });
}
