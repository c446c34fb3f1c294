import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { packNextYear } from '../../../db/market/bar-blocks.ts';
import { BarLoad } from '../../../db/market/bar-load.ts';
import { selectSeries } from '../../../db/market/bars.ts';
import { selectNewestSession } from '../../../db/market/loaded-sessions.ts';
import { streamSeries } from '../../../db/market/series-stream.ts';
import { createPool, type Queryable, transaction } from '../../../db/pool.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { civilDate, type Day, dayOf, formatDay, requireDay } from '../../../engine/market/dates.ts';
import type { BarSeries } from '../../../engine/market/series.ts';
import { VENUE_BASIS_CODE } from '../../../engine/market/venue-basis.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const VENUE_BASIS = 'consolidated';
const SESSIONS = sessionsBetween(dayOf(2022, 11, 1), dayOf(2024, 2, 15));

interface Row {
  readonly id: number;
  readonly day: Day;
  readonly close: number;
}

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('truncate daily_bars, bar_blocks, bar_seals, loaded_sessions'));

/** Loads rows as one unit. `fail` throws before the end. */
async function load(rows: readonly Row[], start: Day, end: Day, fail = false): Promise<number> {
  return transaction(database.pool, async (connection) => {
    const bars = await BarLoad.begin(connection, {
      keepsGone: false,
      forgets: false,
      venueBasis: VENUE_BASIS,
      start,
      end,
      instrumentIds: null,
      origin: { syncJobId: 7, at: new Date('2026-01-02T03:04:05Z') },
    });
    for (const { id, day, close } of rows) {
      if (bars.copy.add(id, day, close, close + 1, close - 0.5, close, 2 ** 40 + id)) await bars.copy.flush();
    }
    if (fail) {
      bars.copy.abort();
      throw new Error('broken off');
    }
    const perDay = Map.groupBy(rows, (row) => row.day);
    const days = sessionsBetween(start, end).map((day) => ({
      day,
      rows: perDay.get(day)?.length ?? 0,
      rejected: 0,
      malformed: 0,
    }));
    const change = await bars.finish(days, () => ({
      instrumentIds: rows.map((row) => row.id),
      years: rows.map((row) => civilDate(row.day).year),
    }));
    return change.rows;
  });
}

async function pack(through: Day): Promise<void> {
  while (await transaction(database.pool, (connection) => packNextYear(connection, VENUE_BASIS, through)));
}

/** Computes the expected values from the rows alone. */
async function rowsOf(db: Queryable, id: number): Promise<string[]> {
  const { rows } = await db.query(
    'select day, open, high, low, close, volume from daily_bars where instrument_id = $1 and basis = $2 order by day',
    [id, VENUE_BASIS_CODE[VENUE_BASIS]],
  );
  return rows.map((r) => [r.day, r.open, r.high, r.low, r.close, r.volume].join(' '));
}

async function seriesOf(id: number): Promise<string[]> {
  const series = (await selectSeries(database.pool, [id], VENUE_BASIS)).get(id);
  return series ? linesOf(series) : [];
}

function linesOf(series: BarSeries): string[] {
  return Array.from({ length: series.length }, (_, i) =>
    [formatDay(series.day[i]), series.open[i], series.high[i], series.low[i], series.close[i], series.volume[i]].join(
      ' ',
    ),
  );
}

/** Gives the instruments the same bars of the primary session, packed as the others are, and streams both, cut at a year. */
async function streamed(ids: readonly number[], year: number) {
  const { primary_session: primary, consolidated } = VENUE_BASIS_CODE;
  for (const table of ['daily_bars', 'bar_blocks', 'bar_seals']) {
    const row = `jsonb_populate_record(t, jsonb_build_object('basis', $1::int))`;
    await database.pool.query(`delete from ${table} where basis = $1`, [primary]);
    await database.pool.query(`insert into ${table} select (${row}).* from ${table} t where basis = $2`, [
      primary,
      consolidated,
    ]);
  }
  return Array.fromAsync(streamSeries(database.pool, ids, year), (one) => [
    one.instrumentId,
    linesOf(one.primary),
    linesOf(one.consolidated),
  ]);
}

async function cutRows(ids: readonly number[], year: number) {
  const all = await Promise.all(ids.map(async (id) => [id, await rowsOf(database.pool, id)] as const));
  return all
    .map(([id, rows]) => [id, rows.filter((row) => row < String(year + 1)), rows.filter((row) => row > String(year))])
    .filter(([, before, after]) => [before, after].flat().length > 0);
}

describe('daily bars', () => {
  it('are read exactly as they were loaded', async () => {
    const rows = [0.0001, 0.1 + 0.2, 123.456, 99999.99].map((close, i) => ({
      id: 7,
      day: SESSIONS[i],
      close: close + 1,
    }));
    expect(await load(rows, SESSIONS[0], SESSIONS[3])).toBe(4);
    expect(await seriesOf(7)).toEqual(await rowsOf(database.pool, 7));
    expect((await seriesOf(7))[1]).toContain(` ${0.1 + 0.2 + 1} `);
    expect(await seriesOf(8)).toEqual([]);
  });

  it('are the same from blocks and rows after any sequence of loads and packings', async () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('load' as const),
        from: fc.integer({ min: 0, max: SESSIONS.length - 1 }),
        length: fc.integer({ min: 1, max: 120 }),
        ids: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
        price: fc.integer({ min: 10, max: 1000 }),
        fails: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('pack' as const), through: fc.integer({ min: 0, max: SESSIONS.length - 1 }) }),
    );
    const load1 = { kind: 'load' as const, from: 0, length: 1, price: 10, fails: false };
    const pack1 = { kind: 'pack' as const, through: 0 };
    // All bars of a packed year go.
    const takenBack = [{ ...load1, ids: [1] }, pack1, { ...load1, ids: [2] }, pack1, pack1];
    await fc.assert(
      fc
        .asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
          for (const s of steps) {
            if (s.kind === 'pack') {
              await pack(SESSIONS[s.through]);
              continue;
            }
            const days = SESSIONS.slice(s.from, s.from + s.length);
            const rows = s.ids.flatMap((id) => days.map((day) => ({ id, day, close: s.price + (day % 7) })));
            await load(rows, days[0], days[days.length - 1], s.fails).catch(() => {});
          }
          for (const id of [1, 2, 3, 4]) expect(await seriesOf(id)).toEqual(await rowsOf(database.pool, id));
          expect(await streamed([4, 1, 2, 3], 2023)).toEqual(await cutRows([1, 2, 3, 4], 2023));
        })
        .beforeEach(async () => {
          await database.pool.query('truncate daily_bars, bar_blocks, bar_seals, loaded_sessions');
        }),
      { numRuns: 25, examples: [[takenBack]] },
    );
  });

  it('of a day are replaced by a second load, and not rewritten by an equal one', async () => {
    const [first, second] = SESSIONS;
    const both = (close: number) => [first, second].flatMap((day) => [1, 2].map((id) => ({ id, day, close })));
    await load(both(10), first, second);
    expect(await load(both(10), first, second)).toBe(0);
    expect(await load([{ id: 1, day: first, close: 20 }], first, first)).toBe(2);
    expect(await seriesOf(1)).toHaveLength(2);
    expect(await seriesOf(2)).toEqual([expect.stringContaining(formatDay(second))]);
  });

  it.each([
    ['one connection', 1],
    ['another one that reads ahead', 2],
  ])(
    'of many instruments are streamed (%s), and a stream that ends, breaks, or is abandoned disturbs no other read',
    async (_, max) => {
      const ids = Array.from({ length: 150 }, (_, i) => i + 1);
      const rows = SESSIONS.flatMap((day) => ids.map((id) => ({ id, day, close: 10 + id })));
      await load(rows, SESSIONS[0], SESSIONS[SESSIONS.length - 1]);
      await pack(requireDay('2023-06-30'));
      const pool = createPool({ url: database.url, max, applicationName: 'stream' });
      const all = () => Array.fromAsync(streamSeries(pool, ids, 2022), ({ instrumentId }) => instrumentId);
      try {
        expect(await all()).toEqual(ids);
        // The connections of the stream before serve the next one.
        const connections = async () => {
          const query = `select pid from pg_stat_activity where application_name = 'stream' order by pid`;
          return (await database.pool.query(query)).rows;
        };
        const before = await connections();
        expect(before).toHaveLength(max);
        expect(await all()).toEqual(ids);
        expect(await connections()).toEqual(before);
        for await (const { instrumentId } of streamSeries(pool, ids, 2022)) if (instrumentId === 2) break;
        expect(await all()).toEqual(ids);
        const broken = async () => {
          for await (const { instrumentId } of streamSeries(pool, ids, 2022)) {
            if (instrumentId !== 2) continue;
            await database.pool.query(
              `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stream'`,
            );
          }
        };
        await expect(broken()).rejects.toThrow();
        expect(await all()).toEqual(ids);
      } finally {
        await pool.end();
      }
    },
  );

  it('of a load that fails are rolled back', async () => {
    const rows = SESSIONS.slice(0, 50).map((day) => ({ id: 1, day, close: 10 }));
    await expect(load(rows, SESSIONS[0], SESSIONS[49], true)).rejects.toThrow('broken off');
    expect(await rowsOf(database.pool, 1)).toEqual([]);
    expect(await selectNewestSession(database.pool, VENUE_BASIS, SESSIONS[49])).toBeNull();
  });

  it('determine the newest session with bars up to a day', async () => {
    await load([{ id: 1, day: SESSIONS[3], close: 10 }], SESSIONS[0], SESSIONS[5]);
    expect(await selectNewestSession(database.pool, VENUE_BASIS, SESSIONS[10])).toBe(SESSIONS[3]);
    expect(await selectNewestSession(database.pool, VENUE_BASIS, SESSIONS[2])).toBeNull();
  });

  it('are read from rows again after a correction in a packed year', async () => {
    const days = SESSIONS.filter((d) => civilDate(d).year === 2023);
    await load(
      days.map((day) => ({ id: 1, day, close: 10 })),
      days[0],
      days[days.length - 1],
    );
    await pack(requireDay('2023-12-31'));
    await load([{ id: 1, day: days[5], close: 77 }], days[5], days[5]);
    const { rows } = await database.pool.query('select data from bar_blocks where instrument_id = 1');
    expect(rows).toEqual([{ data: null }]);
    expect((await seriesOf(1))[5]).toContain(' 77 ');
  });
});
