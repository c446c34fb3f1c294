import { describe, expect, it } from '@jest/globals';
import { isSession, sessionOpen } from '../../../engine/market/calendar.ts';
import { dayOf, formatDay, requireDay } from '../../../engine/market/dates.ts';
import { figuresFault } from '../../../engine/market/faults.ts';
import { VENUE_BASES } from '../../../engine/market/venue-basis.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const signal = new AbortController().signal;
const open = (now = NOW, symbols = 250) => new SampleProvider({ symbols, now: () => now });

async function rowsOf(
  provider: SampleProvider,
  venueBasis: (typeof VENUE_BASES)[number],
  from: string,
  to: string,
): Promise<string[]> {
  const rows: string[] = [];
  for (const unit of await provider.planUnits(venueBasis, requireDay(from), requireDay(to))) {
    for await (const b of provider.dailyBars(venueBasis, unit, signal)) {
      for (let i = 0; i < b.count; i++) {
        rows.push(
          [b.ticker[i], formatDay(b.day[i]), b.open[i], b.high[i], b.low[i], b.close[i], b.volume[i]].join(','),
        );
      }
    }
  }
  return rows;
}

describe('the sample market', () => {
  it('has the sessions of the calendar, up to the newest published one', async () => {
    expect(await open().publishedSessions('consolidated')).toEqual({
      first: dayOf(2024, 7, 1),
      newest: dayOf(2026, 11, 20),
    });
    expect(await open().publishedSessions('primary_session')).toEqual({
      first: dayOf(2015, 1, 2),
      newest: dayOf(2024, 6, 28),
    });
    const before = Date.parse('2026-11-20T20:09:00-05:00');
    expect((await open(before).publishedSessions('single_venue'))?.newest).toBe(dayOf(2026, 11, 19));
    expect((await open(before + 60_000).publishedSessions('single_venue'))?.newest).toBe(dayOf(2026, 11, 20));
  });

  it('has valid bars on every venue basis', async () => {
    for (const venueBasis of VENUE_BASES) {
      const rows = await rowsOf(open(), venueBasis, '2023-01-01', '2025-12-31');
      expect(rows.length).toBeGreaterThan(50_000);
      for (const row of rows) {
        const [, date, ...figures] = row.split(',');
        const [o, h, l, c, v] = figures.map(Number);
        if (!isSession(requireDay(date)) || figuresFault(o, h, l, c, v)) throw new Error(`${venueBasis}: ${row}`);
      }
    }
  });

  it('is the same for every range, time, and instance', async () => {
    const year = await rowsOf(open(), 'consolidated', '2025-01-01', '2025-12-31');
    const later = await rowsOf(open(NOW + 40 * 86_400_000), 'consolidated', '2025-03-03', '2025-03-14');
    expect(later).toEqual(year.filter((row) => row.split(',')[1] >= '2025-03-03' && row.split(',')[1] <= '2025-03-14'));
    const wide = await rowsOf(open(NOW, 400), 'consolidated', '2025-03-03', '2025-03-03');
    expect(wide.slice(0, 150)).toEqual(
      (await rowsOf(open(), 'consolidated', '2025-03-03', '2025-03-03')).slice(0, 150),
    );
  });

  it('has the special cases of real instruments', async () => {
    const instruments = await Array.fromAsync(open().instruments());
    expect(instruments).toHaveLength(250);
    expect(new Set(instruments.map((i) => i.assetType))).toEqual(
      new Set(['stock', 'etf', 'warrant', 'preferred', 'unit']),
    );
    expect(instruments.filter((i) => i.ticker === 'QILL')).toHaveLength(2);
    expect(instruments.filter((i) => i.previousTickers.length > 0).map((i) => i.ticker)).toEqual(['LUMA']);
    expect(instruments.filter((i) => i.delistedOn !== null && i.delistedOn < dayOf(2024, 7, 1)).length).toBeGreaterThan(
      3,
    );
    const events = await Array.fromAsync(open().adjustments());
    expect(new Set(events.map((e) => e.kind))).toEqual(new Set(['split', 'reverse_split', 'cash_dividend']));
    const halted = (await rowsOf(open(), 'consolidated', '2025-09-15', '2025-09-26')).filter((r) =>
      r.startsWith('TMRK,'),
    );
    expect(halted).toEqual([]);
    const renamed = await rowsOf(open(), 'primary_session', '2023-05-12', '2023-05-15');
    expect(renamed.filter((r) => /^(LTNS|LUMA),/.test(r)).map((r) => r.slice(0, 15))).toEqual([
      'LTNS,2023-05-12',
      'LUMA,2023-05-15',
    ]);
  });

  it('trades a split at the new price from the ex-day on', async () => {
    const rows = (await rowsOf(open(), 'consolidated', '2025-06-06', '2025-06-09')).filter((r) =>
      r.startsWith('ACRX,'),
    );
    const closes = rows.map((r) => Number(r.split(',')[5]));
    expect(closes[0] / closes[1]).toBeGreaterThan(7);
    expect(closes[0] / closes[1]).toBeLessThan(14);
  });

  it('lets prices fall by the dividends of the instruments that show them', async () => {
    const dividends = (await Array.fromAsync(open().adjustments())).filter(
      ({ ticker, kind }) => ticker === 'HRZ.B' && kind === 'cash_dividend',
    );
    expect(dividends.map(({ factor }) => factor)).toEqual(Array(48).fill(0.98));
    const rows = (await rowsOf(open(), 'consolidated', '2024-07-01', '2026-11-20')).filter((r) =>
      r.startsWith('HRZ.B,'),
    );
    const overnight = rows.slice(1).map((row, i) => {
      const [, date, opened] = row.split(',');
      return { day: requireDay(date), change: Number(opened) / Number(rows[i].split(',')[5]) - 1 };
    });
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const exDays = new Set(dividends.map(({ exDay }) => exDay));
    expect(mean(overnight.filter(({ day }) => exDays.has(day)).map(({ change }) => change))).toBeLessThan(-0.01);
    expect(Math.abs(mean(overnight.map(({ change }) => change)))).toBeLessThan(0.002);
  });

  it('corrects one close when the next session is published', async () => {
    const day = (now: number) => rowsOf(open(now), 'consolidated', '2026-11-20', '2026-11-20');
    const [first, then] = await Promise.all([day(NOW), day(NOW + 3 * 86_400_000)]);
    const changed = first.flatMap((row, i) => (row === then[i] ? [] : [[row, then[i]]]));
    expect(
      changed.map(([was, is]) => [was.split(',')[0], Number(was.split(',')[5]) / Number(is.split(',')[5])]),
    ).toEqual([['LUMA', expect.closeTo(1.015, 3)]]);
  });

  it('has minutes that agree with the day, and none from the future', async () => {
    const date = dayOf(2026, 11, 20);
    const [bar] = (await rowsOf(open(), 'single_venue', '2026-11-20', '2026-11-20')).filter((r) =>
      r.startsWith('ACRX,'),
    );
    const [, , o, h, l, c, v] = bar.split(',').map(Number);
    const minutes = (await open().minuteBars(date, 'ACRX')) ?? [];
    expect(minutes).toHaveLength(390);
    expect([minutes[0].open, Math.max(...minutes.map((m) => m.high)), Math.min(...minutes.map((m) => m.low))]).toEqual([
      o,
      h,
      l,
    ]);
    expect([minutes[389].close, minutes.reduce((sum, m) => sum + m.volume, 0)]).toEqual([c, v]);
    const noon = open(sessionOpen(date) + 60 * 60_000);
    expect(await noon.minuteBars(date, 'ACRX')).toHaveLength(60);
    expect(await noon.minuteBars(date + 3, 'ACRX')).toBeNull();
    expect(await open().minuteBars(date, 'NOPE')).toBeNull();
  });
});
