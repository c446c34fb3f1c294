/** Prices of the sample market. Each year of an instrument is generated independently, so that a range takes no time for other years. */
import { TRADING_DAYS_PER_YEAR } from '../../../engine/indicators/indicators.ts';
import { effectiveSplits, priceFactors } from '../../../engine/market/adjust.ts';
import { sessionMinutes, sessionOpen, sessionsBetween } from '../../../engine/market/calendar.ts';
import { civilDate, type Day, dayOf } from '../../../engine/market/dates.ts';
import type { MinuteBar } from '../../../engine/market/minute-bars.ts';
import { allocateSeries, type BarSeries } from '../../../engine/market/series.ts';
import type { VenueBasis } from '../../../engine/market/venue-basis.ts';
import { FIRST_DAY, Random, type SampleInstrument } from './universe.ts';

const FIRST_YEAR = 2015;
const EVENTS_UNTIL = dayOf(2200, 1, 1);

/** How the bars of a venue basis differ from those of the whole market: share of the volume, and change of the daily range. */
const VENUE_BASIS_TRAITS = {
  consolidated: { volumeShare: 1, widening: 0 },
  primary_session: { volumeShare: 0.24, widening: 0.25 },
  single_venue: { volumeShare: 0.13, widening: -0.3 },
} as const satisfies Record<VenueBasis, object>;

const sessionsByYear = new Map<number, Int32Array>();

function sessionsOf(year: number): Int32Array {
  let sessions = sessionsByYear.get(year);
  if (!sessions) {
    sessions = Int32Array.from(sessionsBetween(dayOf(year, 1, 1), dayOf(year, 12, 31)));
    sessionsByYear.set(year, sessions);
  }
  return sessions;
}

/** Log price at the end of the year before `year`. */
function logAnchor(instrument: SampleInstrument, year: number): number {
  let anchor = Math.log(instrument.startPrice);
  for (let y = FIRST_YEAR; y < year; y++) anchor += logReturn(instrument, y);
  return anchor;
}

function logReturn(instrument: SampleInstrument, year: number): number {
  return instrument.drift + instrument.volatility * new Random(instrument.seed, year, 1).normal() * 0.7;
}

/** Rounds to cents, below one dollar to hundredths of a cent; never to zero. */
function toTick(price: number): number {
  return price >= 1 ? Math.round(price * 100) / 100 : Math.max(1, Math.round(price * 10_000)) / 10_000;
}

function isTraded(instrument: SampleInstrument, day: Day): boolean {
  return (
    day >= Math.max(FIRST_DAY, instrument.listedOn) &&
    (instrument.delistedOn === null || day <= instrument.delistedOn) &&
    !instrument.halts.some(([from, to]) => day >= from && day <= to)
  );
}

/**
 * Log of the accrued next cash dividend of a showcase, by day: it grows evenly and falls to 0 on the ex-day, when the price falls by
 * the dividend.
 */
function accruedDividends({ quarterlyDividend, events }: SampleInstrument, days: readonly Day[]): Float64Array {
  const accrued = new Float64Array(days.length);
  if (quarterlyDividend === 0) return accrued;
  const exDays = events.filter(({ kind }) => kind === 'cash_dividend').map(({ exDay }) => exDay);
  for (let i = 0; i < days.length; i++) {
    const next = exDays.findIndex((exDay) => exDay > days[i]);
    if (next < 1) continue;
    const share = (days[i] - exDays[next - 1]) / (exDays[next] - exDays[next - 1]);
    accrued[i] = -Math.log(1 - quarterlyDividend) * share;
  }
  return accrued;
}

/** The first published close of a restated bar, relative to the right one. */
const PRELIMINARY = 1.015;

/** The bars of an instrument as they are first published: that of a restated one has a wrong close in the newest session. */
export function asFirstPublished({ isRestated }: SampleInstrument, bars: BarSeries, newest: Day): BarSeries {
  const last = bars.length - 1;
  if (!isRestated || last < 0 || bars.day[last] !== newest) return bars;
  bars.close[last] = toTick(bars.close[last] * PRELIMINARY);
  bars.high[last] = Math.max(bars.high[last], bars.close[last]);
  return bars;
}

/** The bars of one year on a venue basis, as traded; `length` may be 0. Prices are a random bridge between the year's two anchors. */
export function drawYear(
  instrument: SampleInstrument,
  venueBasis: VenueBasis,
  year: number,
  from: Day,
  to: Day,
): BarSeries {
  const sessions = sessionsOf(year);
  const n = sessions.length;
  const random = new Random(instrument.seed, year, 2);
  const daily = instrument.volatility / Math.sqrt(TRADING_DAYS_PER_YEAR);
  const walk = new Float64Array(n);
  let level = 0;
  for (let i = 0; i < n; i++) {
    level += random.normal();
    walk[i] = level;
  }
  const anchor = logAnchor(instrument, year);
  const change = logReturn(instrument, year);
  const accrued = accruedDividends(instrument, [sessions[0] - 1, ...sessions]);
  const traits = VENUE_BASIS_TRAITS[venueBasis];
  const factors = priceFactors(sessions, effectiveSplits(instrument.events, EVENTS_UNTIL));
  const out = allocateSeries(n);
  let bars = 0;
  let previous = Math.exp(anchor + accrued[0]);
  for (let i = 0; i < n; i++) {
    const share = (i + 1) / n;
    const close = Math.exp(anchor + change * share + daily * (walk[i] - walk[n - 1] * share) + accrued[i + 1]);
    if (accrued[i + 1] < accrued[i]) previous *= 1 - instrument.quarterlyDividend;
    const open = previous * Math.exp(0.3 * daily * random.normal());
    const reach = (0.45 + traits.widening) * daily;
    const high = Math.max(open, close) * Math.exp(reach * Math.abs(random.normal()));
    const low = Math.min(open, close) * Math.exp(-reach * Math.abs(random.normal()));
    const volume = instrument.baseVolume * Math.exp(0.4 * random.normal() + Math.abs(Math.log(close / previous)) * 8);
    previous = close;
    const day = sessions[i];
    if (day < from || day > to || !isTraded(instrument, day)) continue;
    out.day[bars] = day;
    out.open[bars] = toTick(open / factors[i]);
    out.high[bars] = toTick(high / factors[i]);
    out.low[bars] = toTick(low / factors[i]);
    out.close[bars] = toTick(close / factors[i]);
    out.volume[bars] = Math.round(volume * traits.volumeShare * factors[i]);
    bars++;
  }
  return { ...out, length: bars };
}

/** Regular-session minutes of a day on one venue, consistent with the day's bar; null when it did not trade. */
export function drawMinutes(instrument: SampleInstrument, day: Day): MinuteBar[] | null {
  const { year } = civilDate(day);
  const bar = drawYear(instrument, 'single_venue', year, day, day);
  if (bar.length === 0) return null;
  const minutes = sessionMinutes(day);
  const random = new Random(instrument.seed, day, 3);
  const [open, high, low, close] = [bar.open[0], bar.high[0], bar.low[0], bar.close[0]];
  const path = Array.from({ length: minutes + 1 }, (_, i) => {
    const swing = ((high - low) / 3) * random.normal() * Math.sin((Math.PI * i) / minutes);
    return toTick(Math.min(high, Math.max(low, open + ((close - open) * i) / minutes + swing)));
  });
  path[0] = open;
  path[minutes] = close;
  path[random.integer(1, Math.floor(minutes / 2))] = high;
  path[random.integer(Math.floor(minutes / 2) + 1, minutes - 1)] = low;
  const start = sessionOpen(day);
  const perMinute = Math.floor(bar.volume[0] / minutes);
  return Array.from({ length: minutes }, (_, i) => ({
    startMs: start + i * 60_000,
    open: path[i],
    high: Math.max(path[i], path[i + 1]),
    low: Math.min(path[i], path[i + 1]),
    close: path[i + 1],
    volume: i === 0 ? bar.volume[0] - perMinute * (minutes - 1) : perMinute,
  }));
}
