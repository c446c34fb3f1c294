import { describe, expect, it } from '@jest/globals';
import type { DirectoryItem } from '../../../api/market/directory.ts';
import { klineOf } from '../../../api/market/kline.ts';
import type { MarketView } from '../../../api/market/market-view.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { dayOf, formatDay } from '../../../engine/market/dates.ts';
import { allocateSeries } from '../../../engine/market/series.ts';
import { SessionLedger } from '../../../engine/market/session-ledger.ts';
import { required } from '../../../engine/util/values.ts';

const LAST = dayOf(2026, 5, 29);
const DAYS = sessionsBetween(dayOf(2020, 1, 2), LAST);
const bars = allocateSeries(DAYS.length);
bars.day.set(DAYS);
for (const column of [bars.open, bars.high, bars.low, bars.close, bars.volume]) column.fill(1);

/** Six years of history, longer than the consolidated data that any test loads. */
const market = {
  mode: 'eod_only',
  newestSession: LAST,
  distributableDay: LAST,
  ledger: SessionLedger.ofVenueBasis({ published: null, complete: [] }),
  assertFresh: () => {},
  findings: () => [],
  hasOlderBars: async () => true,
  series: async () => ({ bars, splits: [] }),
} as unknown as MarketView;
const item = {
  qualified: 'X.US',
  instrument: { name: 'X', currency: 'USD', listedOn: null, delistedOn: null },
} as DirectoryItem;
const ask = (
  plan: 'guest' | 'free',
  range: { start?: number; end?: number; days?: number; period?: 'day' | 'week' | 'month' },
) => klineOf(market, item, { period: 'day', adjust: 'none', days: 250, ...range }, plan, 'en');

describe('weeks and months that are cut', () => {
  const cut = async (range: Parameters<typeof ask>[1], plan: 'guest' | 'free' = 'free') => {
    const { first_bar_partial: first, last_bar_partial: last } = await ask(plan, range);
    return [first, last];
  };

  it('are told where start, end, or the newest session cuts them', async () => {
    // A Wednesday, a Monday, and a Tuesday after a holiday on Monday.
    expect(await cut({ period: 'week', start: dayOf(2026, 5, 6) })).toEqual([true, false]);
    expect(await cut({ period: 'week', start: dayOf(2026, 5, 4) })).toEqual([false, false]);
    expect(await cut({ period: 'week', start: dayOf(2026, 5, 26) })).toEqual([false, false]);
    expect(await cut({ period: 'month', start: dayOf(2026, 5, 4) })).toEqual([true, false]);
    expect(await cut({ period: 'month', start: dayOf(2026, 4, 1), end: dayOf(2026, 5, 28) })).toEqual([false, true]);
    expect(await cut({ period: 'month', start: dayOf(2026, 4, 1), end: dayOf(2026, 5, 31) })).toEqual([false, false]);
    expect(await cut({ period: 'week', days: 3 })).toEqual([false, false]);
    expect(await cut({ period: 'day', start: dayOf(2026, 5, 6) })).toEqual([false, false]);
    expect(await cut({ period: 'month', days: 10_000 }, 'guest')).toEqual([true, false]);
  });

  it('are over where the history begins or ends within them', async () => {
    const first = DAYS[0];
    expect(await cut({ period: 'month', start: dayOf(2019, 1, 1), end: first + 60 })).toEqual([false, true]);
    const until = (delistedOn: number | null, newestSession: number) =>
      klineOf(
        Object.assign({}, market, { newestSession }),
        Object.assign({}, item, { instrument: { ...item.instrument, delistedOn } }),
        { period: 'month', adjust: 'none', days: 2 },
        'free',
        'en',
      );
    // The next session after May 29 is in June, that after June 1 is not.
    expect(await until(null, dayOf(2026, 6, 1))).toMatchObject({ last_bar_partial: false });
    expect(await until(null, dayOf(2026, 5, 28))).toMatchObject({ last_bar_partial: true });
    expect(await until(LAST, dayOf(2026, 6, 1))).toMatchObject({ last_bar_partial: false });
  });
});

describe("a plan's longest range", () => {
  it('cuts a guest to the last 730 calendar days, the newest included', async () => {
    const limited = await ask('guest', { days: 10_000 });
    const first = required(DAYS.find((day) => day > LAST - 730));
    expect(limited).toMatchObject({ start: formatDay(first), end: '2026-05-29', limited_by_plan: true });
    expect(await ask('guest', { start: dayOf(2021, 1, 4) })).toMatchObject({
      start: formatDay(first),
      limited_by_plan: true,
    });
    const weeks = await ask('guest', { period: 'week', days: 500 });
    expect([weeks.limited_by_plan, weeks.count]).toEqual([true, 105]);
  });

  it('is given as the reason only if it cut off bars', async () => {
    expect(await ask('guest', { start: dayOf(2010, 1, 4) })).toMatchObject({
      limited_by_plan: true,
      data_range: {
        requested_start: '2010-01-04',
        truncated: true,
        reason_codes: ['before_data_start'],
        hints: [expect.stringContaining('2020-01-02')],
      },
      notes: [{ code: 'older_bars_in_backtests', level: 'info' }],
    });
    expect(await ask('guest', { start: dayOf(2021, 1, 4) })).toMatchObject({
      data_range: { truncated: false, reason_codes: [] },
      notes: [],
    });
    expect(await ask('free', { start: dayOf(2010, 1, 4) })).toMatchObject({
      limited_by_plan: false,
      data_range: { actual_start: '2020-01-02', truncated: true },
    });
  });

  it('does not affect shorter ranges and other plans', async () => {
    expect(await ask('guest', {})).toMatchObject({ count: 250, limited_by_plan: false });
    expect(await ask('free', { days: 10_000 })).toMatchObject({ count: DAYS.length, limited_by_plan: false });
  });
});
