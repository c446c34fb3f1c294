/** The screener over a small market: the funnel, entries and exits since the previous session, ties, and versions. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PgBoss } from 'pg-boss';
import pino from 'pino';
import { selectSnapshots } from '../../../db/market/snapshots.ts';
import { selectReadFiles } from '../../../db/queue/file-readings.ts';
import { required } from '../../../engine/util/values.ts';
import { computeNewestClaims } from '../../../jobs/factors/newest-claims.ts';
import { snapshotFreshness } from '../../../jobs/quality/freshness.ts';
import { declareQueues, openBoss } from '../../../jobs/queue/boss.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { refreshRanges, scheduleDueSyncs } from '../../../jobs/worker/scheduler.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import {
  BARS_HEADER,
  createMarketFolder,
  loadEverything,
  type MarketFolder,
  runSyncJob,
} from '../../support/market-folder.ts';

const SESSIONS = ['2025-02-27', '2025-02-28', '2025-03-03', '2025-03-04', '2025-03-05', '2025-03-06', '2025-03-07'];
/** Returns noon in New York on the day after a session. */
const dayAfter = (session: string) => Date.parse(`${session}T17:00:00Z`) + 86_400_000;
const NOW = dayAfter('2025-03-07');

/** Closes of the newest sessions, as traded; null: no bar. Listed against the order of the symbols. */
const CLOSES: Readonly<Record<string, readonly (number | null)[]>> = {
  TIEB: [20, 20, 20, 20, 20, 20, 20],
  TIEA: [20, 20, 20, 20, 20, 20, 20],
  STAY: [60, 60, 60, 60, 60, 60, 61],
  SPLT: [100, 100, 100, 100, 100, 100, 25.5],
  RISE: [10, 10, 10, 10, 10, 10, 12],
  NEWX: [null, null, null, null, null, null, 15],
  HALT: [30, 30, 30, 30, 30, 30, null],
  GONE: [70, null, null, null, null, null, null],
  FALL: [12, 12, 12, 12, 12, 12, 10],
};

function writeMarket(): MarketFolder {
  const symbols = Object.keys(CLOSES);
  const folder = createMarketFolder({
    'symbols.csv': `symbol,listed_on\n${symbols.map((symbol) => `${symbol},2020-01-01`).join('\n')}\n`,
    'adjustments.csv': 'symbol,ex_date,kind,factor\nSPLT,2025-03-07,split,0.25\n',
  });
  for (const [i, session] of SESSIONS.entries()) {
    const lines = symbols.flatMap((symbol) => {
      const close = CLOSES[symbol][i];
      return close === null ? [] : [`${symbol},${session},${close},${close},${close},${close},1000`];
    });
    folder.write(`daily/consolidated/${session}.csv`, `${BARS_HEADER}${lines.join('\n')}\n`);
  }
  return folder;
}

let database: TestDatabase;
let folder: MarketFolder;
let directory: string;
let storage: ObjectStorage;
let api: TestApi;
let person: Person;

const build = (now = NOW) => buildSnapshot(testJobContext({ pool: database.pool, storage, now: () => now }));
const open = (now = NOW) =>
  openTestApi({ database, provider: folder.provider(NOW), storage, now: () => now, realCallers: true });
const ask = (body: object, query = '', of = api) => of.post(`/v1/screener${query}`, body, person.program);
const above = (value: number) => ({ field: 'close', op: 'gte', value });

beforeAll(async () => {
  database = await createTestDatabase();
  directory = mkdtempSync(join(tmpdir(), 'market-screener-'));
  storage = openStorage({ folder: directory });
  folder = writeMarket();
  await loadEverything(database.pool, folder.provider(NOW));
  await build();
  api = await open();
  person = await addPerson(api);
  await database.pool.query(`update users set plan = 'enterprise'`);
});
afterAll(async () => {
  await api.close();
  await database.drop();
  folder.remove();
  rmSync(directory, { recursive: true });
});

const screen = async (body: object) => (await ask(body)).body.data;
const symbolsOf = ({ items }: { items: readonly { symbol: string }[] }) => items.map(({ symbol }) => symbol);

describe('changes', () => {
  it('are the symbols that entered and left since the previous session', async () => {
    expect((await screen({ conditions: [above(11)] })).changes).toEqual({
      // Traded on its first day; bought up.
      entered: ['NEWX.US', 'RISE.US'],
      // Fallen; its last bar is 8 days old, and was 7.
      left: ['FALL.US', 'GONE.US'],
    });
    expect((await screen({ conditions: [above(15), { field: 'close', op: 'lte', value: 30 }] })).changes).toEqual({
      // 100 the day before a split of 4:1 is not 25.
      entered: ['NEWX.US', 'SPLT.US'],
      left: [],
    });
  });

  it('of figures with a look-back use the bars through that session', async () => {
    const { changes } = await screen({ conditions: [{ field: 'new_high', op: 'is_true', period: 3 }] });
    expect(changes).toEqual({ entered: ['RISE.US', 'SPLT.US', 'STAY.US'], left: [] });
    const flat = { field: 'change_pct', op: 'between', value: 0, value2: 0 };
    expect((await screen({ conditions: [flat] })).changes).toEqual({
      entered: [],
      left: ['FALL.US', 'RISE.US', 'SPLT.US', 'STAY.US'],
    });
  });

  it('cover all matches, regardless of the page, also without conditions', async () => {
    const page = await screen({ conditions: [above(11)], limit: 1, offset: 3 });
    expect(page.changes.entered).toEqual(['NEWX.US', 'RISE.US']);
    expect((await screen({})).changes).toEqual({ entered: ['NEWX.US'], left: ['GONE.US'] });
  });

  it('are null if the previous session is not loaded', async () => {
    const first = dayAfter(SESSIONS[0]);
    await build(first);
    const early = await open(first);
    const { data } = (await ask({ conditions: [above(11)] }, '', early)).body;
    await early.close();
    await build();
    // The next screens use that snapshot.
    await eventually(
      () => ask({}),
      ({ status }) => status === 200,
    );
    expect(data.data_freshness.as_of).toBe(SESSIONS[0]);
    expect(data.total).toBeGreaterThan(0);
    expect(data.changes).toBeNull();
  });
});

describe('the funnel', () => {
  it('counts the symbols left after each condition, in the order of the request', async () => {
    const conditions = [
      { field: 'sma', op: 'gt', value: 11, period: 2 },
      above(20),
      { field: 'change_pct', op: 'gt', value: 0 },
    ];
    const { eligible, funnel, total } = await screen({ conditions });
    expect(eligible).toBe(7);
    expect(funnel).toEqual([
      { condition: conditions[0], rule: 'sma(2) > 11', values: ['sma(2)'], remaining: 5 },
      { condition: conditions[1], rule: 'close >= 20', values: ['close'], remaining: 5 },
      { condition: conditions[2], rule: 'roc(1) > 0', values: ['roc(1)'], remaining: 2 },
    ]);
    expect(total).toBe(2);
    const turned = await screen({ conditions: conditions.toReversed() });
    expect(turned.funnel.map(({ remaining }: { remaining: number }) => remaining)).toEqual([3, 2, 2]);
    expect((await screen({})).funnel).toEqual([]);
  });

  it('of a preset is that of its conditions', async () => {
    const { presets } = (await api.get('/api/screener/presets')).body.data;
    const [{ code, conditions }] = presets;
    const { funnel } = await screen({ preset: code });
    expect(funnel.map(({ condition }: { condition: object }) => condition)).toEqual(conditions);
  });
});

describe('the order', () => {
  it('of equal figures is that of the symbols, either way', async () => {
    const sort = (order: string) => ({ sort: { field: 'volume', order }, conditions: [above(20)] });
    for (const order of ['asc', 'desc']) {
      const symbols = symbolsOf(await screen(sort(order))).filter((symbol) => symbol !== 'SPLT.US');
      expect(symbols).toEqual(['HALT.US', 'STAY.US', 'TIEA.US', 'TIEB.US']);
    }
  });

  it('by a period without enough bars leaves all symbols eligible, with undefined figures last', async () => {
    const all = await screen({ sort: { field: 'sma', period: 252, order: 'asc' } });
    expect([all.eligible, all.total]).toEqual([all.scanned, all.scanned]);
    expect(symbolsOf(all)).toEqual(symbolsOf(all).toSorted());
    expect(all.items[0].values).toEqual({ 'sma:252': null });
    const short = await screen({ sort: { field: 'sma', period: 2, order: 'asc' } });
    expect(symbolsOf(short).at(-1)).toBe('NEWX.US');
    expect(short.venue_scope).toEqual(all.venue_scope);
  });
});

describe('the request', () => {
  it('may have invalid fields that a preset replaces', async () => {
    const plain = await screen({ preset: 'volume_surge' });
    const garbage = { conditions: 'all of them', where: { 5: null }, sort: [['close']] };
    expect({ ...(await screen({ preset: 'volume_surge', ...garbage })), elapsed_ms: 0 }).toEqual({
      ...plain,
      elapsed_ms: 0,
    });
    for (const body of [garbage, { ...garbage, preset: null }, { preset: 'volume_surge', colour: 'red' }]) {
      expect((await ask(body)).status).toBe(422);
    }
  });

  it.each([
    ['', 'is not accepted here: close has no period'],
    ['?lang=zh-CN', '不适用：close没有周期参数'],
    ['?lang=zh-TW', '不適用：close沒有週期參數'],
  ])('may not give a period to a field that has none%s', async (query, msg) => {
    const sort = await ask({ sort: { field: 'close', period: 5 } }, query);
    const condition = await ask({ conditions: [{ ...above(1), period: 5 }] }, query);
    expect([sort.status, condition.status]).toEqual([422, 422]);
    expect(sort.body.detail).toMatchObject([{ loc: ['body', 'sort', 'period'], msg }]);
    expect(condition.body.detail).toMatchObject([{ loc: ['body', 'conditions', 0, 'period'], msg }]);
  });
});

describe('a new version of the service', () => {
  let boss: PgBoss;
  afterAll(() => boss.stop());

  const served = async () => {
    const other = await open();
    const { id } = other.services.snapshots.current?.record ?? { id: null };
    await other.close();
    return id;
  };

  it('serves the newest snapshot of its own format, and makes a new one', async () => {
    const log = pino({ level: 'silent' });
    await declareQueues(database.url);
    boss = await openBoss({ url: database.url, log });
    const schedule = () =>
      scheduleDueSyncs({
        pool: database.pool,
        boss,
        provider: folder.provider(NOW),
        now: () => NOW,
        log,
      });
    const queued = async (queue = 'snapshot.build') => {
      const { rows } = await database.pool.query('select from pgboss.job where name = $1', [queue]);
      return rows.length;
    };
    const provider = folder.provider(NOW);
    const state = required(await provider.folderState?.(await selectReadFiles(database.pool)));
    for (const list of ['symbols', 'adjustments'] as const) {
      await runSyncJob(database.pool, provider, list, { through: '2025-03-07', files: state[list] });
    }
    await database.pool.query(`update sync_jobs set requested_by = 'scheduler'`);
    // The version of the data covers the sessions of the provider.
    await refreshRanges({ pool: database.pool, provider, now: () => NOW, log });
    await schedule();
    expect(await queued('claims.newest')).toBe(0);
    await build();
    await schedule();
    await schedule();
    expect([await queued(), await queued('claims.newest')]).toEqual([1, 1]);
    await database.pool.query('delete from pgboss.job');
    await computeNewestClaims(testJobContext({ pool: database.pool, now: () => NOW }));
    await schedule();
    expect([await queued(), await queued('claims.newest')]).toEqual([0, 0]);
    const ours = await served();
    expect(ours).not.toBeNull();
    // As a process of the previous version writes it: without a format.
    await database.pool.query(
      `insert into snapshots (object_key, checksum_sha256, bytes, instruments, bars, as_of, through, data_version,
         engine_version, exported_at)
       select 'snapshots/before', checksum_sha256, bytes, instruments, bars, as_of, through, data_version, '1.0.0', now()
       from snapshots where id = $1`,
      [ours],
    );
    expect(await served()).toBe(ours);
    // A snapshot of a later engine in the same format.
    await database.pool.query(
      `insert into snapshots (object_key, checksum_sha256, bytes, instruments, bars, as_of, through, data_version,
         engine_version, exported_at, format, means_key, means_checksum_sha256, means_bytes)
       select 'snapshots/after', checksum_sha256, bytes, instruments, bars, as_of, through, data_version, '9.0.0', now(),
         format, 'snapshot-means/after', means_checksum_sha256, means_bytes
       from snapshots where id = $1`,
      [ours],
    );
    expect(await served()).toBe(ours);
    await database.pool.query('delete from snapshots where id <= $1', [ours]);
    expect((await snapshotFreshness(database.pool, NOW)).snapshot).toBeNull();
    const other = await open();
    const response = await ask({}, '', other);
    await other.close();
    expect([response.status, response.body.key]).toEqual([503, 'error.snapshot_unavailable']);
    await schedule();
    expect(await queued()).toBe(1);
    await build();
    const [newest] = await selectSnapshots(database.pool, 1);
    expect(await served()).toBe(newest.id);
  });
});
