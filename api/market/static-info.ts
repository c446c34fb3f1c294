/** Facts about an instrument: its attributes, and its splits, dividends, and spin-offs. */
import type { Adjustment } from '../../engine/market/adjust.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { firstIndexFrom, roundTo, sliceSeries } from '../../engine/market/series.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import type { z } from '../http/input/fields.ts';
import { labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import { type DirectoryItem, instrumentFields } from './directory.ts';
import type { PastItem } from './directory-as-of.ts';
import type { MarketView } from './market-view.ts';
import type { eventsSchema, staticSchema, symbolItemSchema } from './schemas.ts';
import { consolidatedVenue, dayText, timelinessOf } from './timeliness.ts';

/** The day of the delisting, if it is not in the future (in New York). */
function delistedDay(market: MarketView, item: DirectoryItem): Day | null {
  const { delistedOn } = item.instrument;
  return delistedOn !== null && delistedOn <= market.today ? delistedOn : null;
}

/** Facts about an instrument, and the range of its served history up to a day. */
export async function staticOf(
  market: MarketView,
  item: DirectoryItem | PastItem,
  locale: Locale,
  through: Day | null = null,
): Promise<z.input<typeof staticSchema>> {
  const { bars: served } = await market.series(item);
  const bars = through === null ? served : sliceSeries(served, 0, firstIndexFrom(served, through + 1));
  const { instrument } = item;
  const delistedOn = delistedDay(market, item);
  const { exchange: _, ...facts } = symbolItemOf(market, item);
  return {
    ...facts,
    lot_size: instrument.lotSize,
    status: delistedOn === null ? 'active' : 'delisted',
    delisting_return_pct: (delistedOn === null ? null : instrument.delistingReturnPct) ?? undefined,
    history_start: bars.length > 0 ? formatDay(bars.day[0]) : null,
    history_end: bars.length > 0 ? formatDay(bars.day[bars.length - 1]) : null,
    ...consolidatedVenue(locale),
    timeliness: timelinessOf(market, locale),
    previous_symbols: instrument.previousTickers.map(({ ticker, lastDay }) => ({
      symbol: qualifiedSymbol(ticker),
      last_day: formatDay(lastDay),
    })),
    note: delistedOn === null ? null : labelText('note.delisted', locale, { date: formatDay(delistedOn) }),
  };
}

/** An instrument in the results of the symbol search. */
export function symbolItemOf(market: MarketView, item: DirectoryItem | PastItem): z.input<typeof symbolItemSchema> {
  const { instrument } = item;
  const delistedOn = delistedDay(market, item);
  return {
    ...instrumentFields(item),
    current_symbol: 'currentSymbol' in item ? item.currentSymbol : undefined,
    raw_symbol: instrument.symbol,
    exchange: 'US',
    asset_type: instrument.assetType,
    primary_venue: instrument.primaryVenue,
    listed_on: dayText(instrument.listedOn),
    delisted_on: dayText(delistedOn),
    is_delisted: delistedOn !== null,
    is_popular: instrument.isPopular,
  };
}

const AMOUNT_DECIMALS = 6;

/** The part of the previous close that the factor of a dividend removes; null: it is none, or there is no previous bar. */
export function dividendAmount({ kind, factor }: Adjustment, closeBefore: number | null): number | null {
  if (kind !== 'cash_dividend' || closeBefore === null) return null;
  return roundTo(closeBefore * (1 - factor), AMOUNT_DECIMALS);
}

/** Events through the newest bar, oldest first. */
export async function eventsOf(market: MarketView, item: DirectoryItem): Promise<z.input<typeof eventsSchema>> {
  const { bars, events } = await market.series(item);
  const view = (event: Adjustment) => {
    const amount = dividendAmount(event, bars.close[firstIndexFrom(bars, event.exDay) - 1] ?? null);
    return { kind: event.kind, ex_date: formatDay(event.exDay), factor: event.factor, amount };
  };
  return { ...instrumentFields(item), count: events.length, events: events.map(view) };
}
