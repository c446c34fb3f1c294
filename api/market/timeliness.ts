/** The timeliness and the venue basis of the data, as answers describe them. */
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import type { MarketView } from './market-view.ts';

const DELAY_MINUTES = { eod_only: null, delayed: 15, realtime: 0 } as const;

/** The timeliness of the data in an answer. */
export function timelinessOf(market: MarketView, locale: Locale) {
  const { mode } = market;
  return {
    mode,
    delayed: mode !== 'realtime',
    delay_minutes: DELAY_MINUTES[mode],
    label: labelText(`timeliness.${mode}`, locale),
    max_date: dayText(market.newestSession),
  };
}

/** The delay of intraday bars, in minutes. */
export function intradayDelayMinutes(market: MarketView): number {
  return DELAY_MINUTES[market.mode] ?? 0;
}

export function dayText(day: Day | null): string | null {
  return day === null ? null : formatDay(day);
}

/** The consolidated venue basis, as answers name it. */
export function consolidatedVenue(locale: Locale) {
  return { venue_mode: 'consolidated' as const, venue_mode_label: labelText('venue.consolidated', locale) };
}
