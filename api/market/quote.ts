/** The quote of an instrument. */
import { adjustSeries } from '../../engine/market/adjust.ts';
import { sessionClose } from '../../engine/market/calendar.ts';
import { formatDay, formatNewYork } from '../../engine/market/dates.ts';
import { roundTo, sliceSeries } from '../../engine/market/series.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { type DirectoryItem, instrumentFields } from './directory.ts';
import type { MarketView } from './market-view.ts';
import type { quoteSchema } from './schemas.ts';
import { consolidatedVenue, timelinessOf } from './timeliness.ts';

type Quote = z.input<typeof quoteSchema>;

/** The newest distributable bar of an instrument as a quote. */
export async function quoteOf(market: MarketView, item: DirectoryItem, locale: Locale): Promise<Quote> {
  market.assertFresh();
  const { bars, splits } = await market.newest(item);
  if (bars.length === 0) throw new ServiceError('no_quote', { symbol: item.qualified });
  const i = bars.length - 1;
  const last = bars.close[i];
  // On the day of a split the previous close is adjusted to the new share count, so that the change is meaningful.
  const before = i > 0 ? adjustSeries(sliceSeries(bars, i - 1, i), splits).close[0] : null;
  const timeliness = timelinessOf(market, locale);
  return {
    ...instrumentFields(item),
    last,
    open: bars.open[i],
    high: bars.high[i],
    low: bars.low[i],
    prev_close: before === null ? null : roundTo(before, 6),
    change: before === null ? null : roundTo(last - before, 6),
    change_pct: before === null ? null : roundTo(100 * (last / before - 1), 4),
    volume: bars.volume[i],
    ts: formatNewYork(sessionClose(bars.day[i])),
    as_of: formatDay(bars.day[i]),
    delayed: timeliness.delayed,
    ...consolidatedVenue(locale),
    timeliness,
    source: 'eod',
  };
}
