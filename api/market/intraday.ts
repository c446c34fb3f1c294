/** Minute bars of one session, from the provider. */
import { isSession, sessionOpen } from '../../engine/market/calendar.ts';
import { type Day, formatDay, formatNewYork, newYorkDay } from '../../engine/market/dates.ts';
import { type Interval, intervalMinutes, resampleMinutes } from '../../engine/market/minute-bars.ts';
import { tickerOn } from '../../engine/market/ticker-book.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { Provider } from '../../jobs/providers/provider.ts';
import type { z } from '../http/input/fields.ts';
import { labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import { type DirectoryItem, instrumentFields } from './directory.ts';
import type { MarketView } from './market-view.ts';
import type { intradaySchema } from './schemas.ts';
import { intradayDelayMinutes, timelinessOf } from './timeliness.ts';

const MINUTE_MS = 60_000;

export interface IntradayRequest {
  /** Default: the latest session whose minutes may be served. */
  readonly date?: Day;
  readonly interval: Interval;
}

/** The provider's minute bars of one session, delayed as the distribution mode requires. */
export async function intradayOf(
  market: MarketView,
  provider: Provider,
  item: DirectoryItem,
  request: IntradayRequest,
  now: number,
  locale: Locale,
): Promise<z.input<typeof intradaySchema>> {
  const visibleUntil = now - intradayDelayMinutes(market) * MINUTE_MS;
  const latest = await latestSession(provider, visibleUntil);
  const day = request.date ?? latest;
  if (day > newYorkDay(visibleUntil)) {
    throw new ServiceError('session_not_distributable', { date: formatDay(day), latest: formatDay(latest) });
  }
  const minutes = (await provider.minuteBars?.(day, tickerOn(item.instrument, day))) ?? [];
  const visible = minutes.filter((bar) => bar.startMs + MINUTE_MS <= visibleUntil);
  const bars = resampleMinutes(visible, intervalMinutes(request.interval), day);
  const timeliness = timelinessOf(market, locale);
  return {
    ...instrumentFields(item),
    date: formatDay(day),
    interval: request.interval,
    venue_mode: 'single_venue',
    venue_mode_label: labelText('venue.single_venue', locale),
    delayed: timeliness.delayed,
    timeliness,
    count: bars.length,
    bars: bars.map(({ startMs, ...figures }) => ({ ts: formatNewYork(startMs), ...figures })),
  };
}

/** The newest session that has begun by `visibleUntil`, or the provider's newest day of minutes if that is earlier. */
async function latestSession(provider: Provider, visibleUntil: number): Promise<Day> {
  let day = newYorkDay(visibleUntil);
  while (!isSession(day) || sessionOpen(day) > visibleUntil) day--;
  const published = (await provider.minuteDays?.(0, day))?.at(-1);
  return published ?? day;
}
