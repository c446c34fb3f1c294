import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  ADJUST_MODES,
  ADJUSTMENT_KINDS,
  type AdjustMode,
  type Adjustment,
  adjustSeries,
  adjustToLastBar,
  effectiveSplits,
  priceFactors,
  roundAdjusted,
} from '../../../engine/market/adjust.ts';
import { isSession, sessionOpen, sessionsBetween } from '../../../engine/market/calendar.ts';
import { civilDate, dayOf, formatDay, requireDay, weekStart } from '../../../engine/market/dates.ts';
import { figuresFault } from '../../../engine/market/faults.ts';
import { type MinuteBar, rebuildPrimarySession, resampleMinutes } from '../../../engine/market/minute-bars.ts';
import {
  allocateSeries,
  type BarSeries,
  PRICE_COLUMNS,
  resample,
  VALUE_COLUMNS,
} from '../../../engine/market/series.ts';
import { spliceSeries } from '../../../engine/market/venue-basis.ts';
import { required } from '../../../engine/util/values.ts';

const day = requireDay;

function seriesOf(rows: readonly (readonly [string, number, number, number, number, number])[]): BarSeries {
  const series = allocateSeries(rows.length);
  rows.forEach(([date, open, high, low, close, volume], i) => {
    series.day[i] = day(date);
    series.open[i] = open;
    series.high[i] = high;
    series.low[i] = low;
    series.close[i] = close;
    series.volume[i] = volume;
  });
  return series;
}

const SESSIONS = sessionsBetween(dayOf(2023, 1, 1), dayOf(2024, 12, 31));

/** Consistent bars on distinct sessions. */
const anySeries = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 0, max: SESSIONS.length - 1 }), { minLength: 1, maxLength: 80 }),
    fc.infiniteStream(fc.double({ min: 1, max: 500, noNaN: true })),
  )
  .map(([indices, prices]) => {
    const series = allocateSeries(indices.length);
    const next = () => required(prices.next().value);
    [...indices]
      .sort((a, b) => a - b)
      .forEach((index, i) => {
        const [a, b, c, d] = [next(), next(), next(), next()].sort((x, y) => x - y);
        series.day[i] = SESSIONS[index];
        series.low[i] = a;
        series.open[i] = b;
        series.close[i] = c;
        series.high[i] = d;
        series.volume[i] = Math.floor(next() * 1000);
      });
    return series;
  });

describe('adjustment', () => {
  const splits = [
    { exDay: day('2014-06-09'), kind: 'split' as const, factor: 1 / 7 },
    { exDay: day('2020-08-31'), kind: 'split' as const, factor: 0.25 },
    { exDay: day('2016-01-05'), kind: 'cash_dividend' as const, factor: 0.9 },
    { exDay: day('2030-01-02'), kind: 'split' as const, factor: 0.5 },
  ];

  it('puts a close on the share count after both later splits', () => {
    const series = seriesOf([
      ['2014-06-06', 649.9, 651.26, 644.47, 645.57, 12_497_800],
      ['2020-08-31', 127.58, 131, 126, 129.04, 225_702_700],
    ]);
    const adjusted = roundAdjusted(adjustSeries(series, effectiveSplits(splits, day('2020-08-31'))));
    expect(adjusted.close[0]).toBe(23.056071);
    expect(adjusted.volume[0]).toBe(12_497_800 * 28);
    expect(adjusted.close[1]).toBe(129.04);
  });

  it('applies neither events after the anchor nor events that do not change the share count', () => {
    expect(effectiveSplits(splits, day('2020-08-30')).map((s) => formatDay(s.exDay))).toEqual(['2014-06-09']);
  });

  it('applies an event to the bars before its ex-day only', () => {
    const days = Int32Array.of(day('2020-08-28'), day('2020-08-31'));
    expect([...priceFactors(days, effectiveSplits(splits, day('2020-08-31')))]).toEqual([0.25, 1]);
  });

  it('keeps the traded value of every bar', () => {
    fc.assert(
      fc.property(anySeries, fc.constantFrom(0.25, 0.5, 3, 10), (series, factor) => {
        const adjusted = adjustSeries(series, [{ exDay: SESSIONS[200], kind: 'split', factor }]);
        for (let i = 0; i < series.length; i++) {
          expect(adjusted.close[i] * adjusted.volume[i]).toBeCloseTo(series.close[i] * series.volume[i], 3);
        }
      }),
    );
  });
});

/** Adjustment as it is defined: a bar takes the factors of the events after its day, up to the anchor. */
function expectedAdjusted(series: BarSeries, events: readonly Adjustment[], mode: AdjustMode, anchor: number) {
  const shareCount = ['split', 'reverse_split', 'stock_dividend'];
  const product = (i: number, counts: (event: Adjustment) => boolean) =>
    events
      .filter((event) => series.day[i] < event.exDay && event.exDay <= anchor && counts(event))
      .reduce((factor, event) => factor * event.factor, 1);
  return Array.from({ length: series.length }, (_, i) => {
    const shares = mode === 'none' ? 1 : product(i, ({ kind }) => shareCount.includes(kind));
    const price = mode === 'total' ? product(i, () => true) : shares;
    return [...PRICE_COLUMNS.map((column) => series[column][i] * price), series.volume[i] / shares];
  });
}

describe('adjustment of any kind', () => {
  it('takes the kinds of its mode, up to the last bar, in any order, and volume by those of the share count', () => {
    const event = fc.record({
      exDay: fc.integer({ min: SESSIONS[0] - 3, max: SESSIONS[SESSIONS.length - 1] + 3 }),
      kind: fc.constantFrom(...ADJUSTMENT_KINDS),
      factor: fc.constantFrom(0.25, 0.9, 0.98, 1, 3, 10),
    });
    fc.assert(
      fc.property(
        anySeries,
        fc.array(event, { maxLength: 6 }),
        fc.constantFrom(...ADJUST_MODES),
        (series, all, mode) => {
          // An event on the day of a bar, and one on that of the last bar.
          const events = all.map((one, i) => (i < 2 ? { ...one, exDay: series.day[i * (series.length - 1)] } : one));
          const anchor = series.day[series.length - 1];
          const adjusted = adjustToLastBar(series, events, mode);
          const rounded = roundAdjusted(adjusted);
          expect(adjusted.day).toEqual(series.day);
          expect(rounded.day).toEqual(series.day);
          expectedAdjusted(series, events, mode, anchor).forEach((expected, i) => {
            const figures = VALUE_COLUMNS.map((column) => adjusted[column][i]);
            for (const [k, figure] of figures.entries()) {
              expect(Math.abs(figure - expected[k])).toBeLessThanOrEqual(1e-12 * Math.abs(expected[k]));
            }
            expect(VALUE_COLUMNS.map((column) => rounded[column][i])).toEqual([
              ...figures.slice(0, 4).map((price) => Math.round(price * 1e6) / 1e6),
              Math.round(figures[4]),
            ]);
          });
        },
      ),
    );
  });
});

describe('a spliced history', () => {
  it('is the primary session before 1 July 2024 and consolidated from then on, up to its end', () => {
    const end = fc.integer({ min: dayOf(2024, 6, 20), max: dayOf(2024, 7, 10) });
    fc.assert(
      fc.property(anySeries, anySeries, fc.oneof(end, fc.constantFrom(...SESSIONS)), (primary, consolidated, last) => {
        const barsOf = (series: BarSeries) =>
          Array.from({ length: series.length }, (_, i) => [
            formatDay(series.day[i]),
            ...VALUE_COLUMNS.map((column) => series[column][i]),
          ]);
        const until = (bars: readonly (string | number)[][]) => bars.filter(([date]) => date <= formatDay(last));
        expect(barsOf(spliceSeries(primary, consolidated, last))).toEqual([
          ...until(barsOf(primary)).filter(([date]) => date < '2024-07-01'),
          ...until(barsOf(consolidated)).filter(([date]) => date >= '2024-07-01'),
        ]);
      }),
    );
  });
});

describe('resampling', () => {
  it.each(['week', 'month'] as const)('to a %s keeps volume, extremes, first open and last close', (period) => {
    fc.assert(
      fc.property(anySeries, (series) => {
        const out = resample(series, period);
        const sum = (values: Float64Array) => values.reduce((a, b) => a + b, 0);
        expect(sum(out.volume.slice(0, out.length))).toBeCloseTo(sum(series.volume), 3);
        expect(Math.max(...out.high)).toBe(Math.max(...series.high));
        expect(Math.min(...out.low)).toBe(Math.min(...series.low));
        expect(out.open[0]).toBe(series.open[0]);
        expect(out.close[out.length - 1]).toBe(series.close[series.length - 1]);
        const keys = [...out.day].map((d) => (period === 'week' ? weekStart(d) : formatDay(d).slice(0, 7)));
        expect(new Set(keys).size).toBe(out.length);
        expect([...out.day].every(isSession)).toBe(true);
      }),
    );
  });

  it('dates a bar by its newest session', () => {
    const series = seriesOf([
      ['2024-06-27', 1, 5, 1, 2, 10],
      ['2024-06-28', 2, 4, 2, 3, 20],
      ['2024-07-01', 3, 6, 2, 4, 30],
      ['2024-07-02', 4, 4, 1, 2, 40],
    ]);
    const weeks = resample(series, 'week');
    expect([...weeks.day].map(formatDay)).toEqual(['2024-06-28', '2024-07-02']);
    expect([...weeks.volume]).toEqual([30, 70]);
    expect([...weeks.low]).toEqual([1, 1]);
    expect(civilDate(resample(series, 'month').day[1]).dayOfMonth).toBe(2);
  });
});

describe('faults of a bar', () => {
  it('are found exactly when the figures contradict one another', () => {
    const figure = fc.oneof(fc.double(), fc.constantFrom(0, -1, 1, 2, 3, 1e-6, 9e-7, 1e9, 1.1e9, Number.NaN, Infinity));
    fc.assert(
      fc.property(figure, figure, figure, figure, figure, (open, high, low, close, volume) => {
        const prices = [open, high, low, close];
        const isFine =
          prices.every((p) => p >= 1e-6 && p <= 1e9) &&
          high >= Math.max(open, close, low) &&
          low <= Math.min(open, close, high) &&
          Number.isSafeInteger(volume) &&
          volume >= 0;
        expect(figuresFault(open, high, low, close, volume) === null).toBe(isFine);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [[0, 2, 1, 1, 1], 'bad_price'],
    [[1, Number.NaN, 1, 1, 1], 'bad_price'],
    [[1e308, 1e308, 1e308, 1e308, 1], 'implausible_price'],
    [[1, 1.1e9, 1, 1, 1], 'implausible_price'],
    [[1, 1, 9e-7, 1, 1], 'implausible_price'],
    [[1, 1e308, -1, 1, 1], 'bad_price'],
    [[2, 1.5, 1, 1, 1], 'high_too_low'],
    [[2, 3, 2.5, 2.6, 1], 'low_too_high'],
    [[2, 3, 1, 2, -1], 'bad_volume'],
    [[2, 3, 1, 2, 1.5], 'bad_volume'],
  ] as const)('%j is %s', ([open, high, low, close, volume], fault) => {
    expect(figuresFault(open, high, low, close, volume)).toBe(fault);
  });
});

describe('minute bars', () => {
  const date = day('2013-10-04');
  const at = (minutes: number, open: number, high: number, low: number, close: number, volume = 100): MinuteBar => ({
    startMs: sessionOpen(date) + minutes * 60_000,
    open,
    high,
    low,
    close,
    volume,
  });
  const bars = [
    at(-120, 49, 49.2, 48.5, 49),
    at(0, 49.1, 49.5, 49, 49.4),
    at(1, 49.4, 49.6, 49.3, 49.5),
    at(400, 49.5, 49.9, 49.4, 49.8),
  ];

  it('rebuild the primary session with extended hours and the official close', () => {
    expect(rebuildPrimarySession(bars, date, 49.53)).toEqual({
      open: 49,
      high: 49.9,
      low: 48.5,
      close: 49.53,
      volume: 400,
    });
  });

  it('take the close of the last regular minute where there is no official close', () => {
    expect(rebuildPrimarySession(bars, date)?.close).toBe(49.5);
    expect(rebuildPrimarySession([bars[0]], date)).toBeNull();
    expect(rebuildPrimarySession([], date, 50)).toBeNull();
  });

  it('count as regular from the opening bell to the minute before the closing bell, in any order', () => {
    const closes = (...minutes: number[]) =>
      rebuildPrimarySession(
        minutes.map((minute) => at(minute, 1, 2, 1, 1 + minute / 1000)),
        date,
      )?.close;
    expect(closes(389, 0, 390)).toBe(1.389);
    expect(closes(0)).toBe(1);
    expect(closes(-1, 390)).toBeUndefined();
    // A half day ends at 13:00.
    const halfDay = day('2013-11-29');
    const minutes = [209, 210].map((minute) => ({
      ...at(0, 1, 2, 1, minute),
      startMs: sessionOpen(halfDay) + minute * 60_000,
    }));
    expect(rebuildPrimarySession(minutes, halfDay)?.close).toBe(209);
  });

  it('are resampled in steps from the opening bell', () => {
    const five = resampleMinutes(bars, 5, date);
    expect(five).toHaveLength(3);
    expect(five[1]).toEqual({ startMs: sessionOpen(date), open: 49.1, high: 49.6, low: 49, close: 49.5, volume: 200 });
    expect(five[0].startMs).toBe(sessionOpen(date) - 120 * 60_000);
  });
});
