/** `?wait=` on the state of runs, and sharing with an API key. No worker runs: the test changes the runs itself. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { portOf } from '../../../api/server/port-of.ts';
import { startServer } from '../../../api/server/server.ts';
import { transaction } from '../../../db/pool.ts';
import { insertKeptRun } from '../../../db/runs/kept-runs.ts';
import { cancelQueuedRun, failRun, type RunKind, updateRunProgress } from '../../../db/runs/runs.ts';
import { enqueueRuns } from '../../../jobs/runs/enqueue.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { BARS_HEADER, createMarketFolder, loadEverything, type MarketFolder } from '../../support/market-folder.ts';

let database: TestDatabase;
let folder: MarketFolder;
let api: TestApi;
let person: Person;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = createMarketFolder({
    'symbols.csv': 'symbol\nABCD\n',
    'daily/consolidated/2024-09.csv': `${BARS_HEADER}ABCD,2024-09-03,10,11,9,10.5,1000\n`,
  });
  await loadEverything(database.pool, folder.provider());
  api = await openTestApi({ database, provider: folder.provider(), realCallers: true });
  person = await addPerson(api);
});
afterAll(async () => {
  await api.close();
  await database.drop();
  folder.remove();
});

async function queued(kind: RunKind = 'backtest'): Promise<string> {
  const id = randomUUID();
  const run = { id, kind, owner: `user:${person.id}`, userId: person.id, isKept: false, historyMax: null, spec: {} };
  const { pool, boss } = api.services;
  await enqueueRuns(pool, boss, kind, [{ ...run, requestId: 'waits', at: new Date(), max: 1_000 }]);
  return id;
}

const start = (id: string) => api.services.pool.query(`update runs set status = 'running' where id = $1`, [id]);

/** An answer, and whether it has arrived. */
function asking(path: string) {
  const state = { isAnswered: false };
  const answer = api.get(path, person.program).then((response) => {
    state.isAnswered = true;
    return response;
  });
  return { state, answer };
}

const openWaits = () => (api.services.runs as unknown as { watchers: Set<unknown> }).watchers.size;
const waits = (count: number) =>
  eventually(
    async () => openWaits(),
    (open) => open === count,
  );

describe('a call that waits for a run', () => {
  it('is answered when the state or the progress changes, and when the run ends', async () => {
    const { pool } = api.services;
    const id = await queued('optimize');
    const path = `/v1/optimize/jobs/${id}?wait=30`;
    const steps: [() => Promise<unknown>, object][] = [
      [() => start(id), { status: 'running', progress_pct: 0 }],
      [() => updateRunProgress(pool, id, 40), { status: 'running', progress_pct: 40 }],
      [() => failRun(pool, id, { code: 'internal', details: {} }, new Date(), null), { status: 'failed' }],
    ];
    for (const [move, expected] of steps) {
      const { state, answer } = asking(path);
      await waits(1);
      expect(state.isAnswered).toBe(false);
      await move();
      expect((await answer).body.data).toMatchObject(expected);
    }
    expect((await asking(path).answer).body.data.status).toBe('failed');
    expect(openWaits()).toBe(0);
  });

  it('is answered after its time, or at once without one', async () => {
    const id = await queued();
    expect((await asking(`/v1/backtests/jobs/${id}`).answer).body.data.status).toBe('queued');
    const begun = performance.now();
    expect((await asking(`/v1/backtests/jobs/${id}?wait=1`).answer).body.data.status).toBe('queued');
    expect(performance.now() - begun).toBeGreaterThan(990);
    const { answer } = asking(`/v1/backtests/jobs/${id}?wait=30`);
    await waits(1);
    await cancelQueuedRun(api.services.pool, id, new Date());
    expect((await answer).body.data).toMatchObject({ status: 'cancelled', error: { key: 'error.backtest_cancelled' } });
  });

  it('waits from 0 to 30 seconds, and only for a run of its caller', async () => {
    const id = await queued();
    for (const wait of ['-1', '31', 'x', '1.5']) {
      expect((await asking(`/v1/backtests/jobs/${id}?wait=${wait}`).answer).status).toBe(422);
    }
    expect((await asking(`/v1/optimize/jobs/${id}?wait=5`).answer).status).toBe(404);
    expect((await api.get(`/v1/backtests/jobs/${id}?wait=5`)).status).toBe(404);
  });

  it('is answered at once if ten calls of its caller already wait, but not those of others', async () => {
    const id = await queued();
    const path = `/v1/backtests/jobs/${id}?wait=30`;
    const ten = Array.from({ length: 10 }, () => asking(path));
    await waits(10);
    expect((await asking(path).answer).body.data.status).toBe('queued');
    expect(ten.some(({ state }) => state.isAnswered)).toBe(false);
    await cancelQueuedRun(api.services.pool, id, new Date());
    for (const { answer } of ten) expect((await answer).body.data.status).toBe('cancelled');
    expect(openWaits()).toBe(0);
  });

  it('is answered when the process shuts down', async () => {
    const id = await queued();
    const other = await openTestApi({ database, provider: folder.provider(), realCallers: true });
    const server = await startServer({
      host: '127.0.0.1',
      port: 0,
      services: other.services,
      defaultLocale: 'en',
      trustProxy: true,
      checks: {},
      log: pino({ level: 'silent' }),
    } as Parameters<typeof startServer>[0]);
    const answer = fetch(`http://127.0.0.1:${server.port}/v1/backtests/jobs/${id}?wait=30`, {
      headers: person.program,
    });
    const open = () => (other.services.runs as unknown as { watchers: Set<unknown> }).watchers.size;
    await eventually(
      async () => open(),
      (count) => count === 1,
    );
    const begun = performance.now();
    const stopped = server.stop(0, 20_000);
    const response = await answer;
    expect([response.status, ((await response.json()) as { data: { status: string } }).data.status]).toEqual([
      200,
      'queued',
    ]);
    await stopped;
    expect(performance.now() - begun).toBeLessThan(15_000);
    await other.close();
  });

  it('is not logged as slow when it starts a run and waits for it', async () => {
    const lines: { msg: string; level: number; status: number }[] = [];
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const waiting = await openTestApi({ database, provider: folder.provider(), log, backtestWaitMs: 1_100 });
    const { status } = await waiting.post('/v1/backtest', { symbol: 'ABCD' }, person.program);
    const levels = lines.filter(({ msg }) => msg === 'request').map(({ level }) => level);
    expect([status, levels]).toEqual([202, [20]]);
    await waiting.close();
  });

  it('ends when its client disconnects', async () => {
    const id = await queued();
    const server = createServer(api.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = portOf(server);
    const gone = new AbortController();
    const headers = person.program;
    const call = fetch(`http://127.0.0.1:${port}/v1/backtests/jobs/${id}?wait=30`, { headers, signal: gone.signal });
    await waits(1);
    gone.abort();
    await expect(call).rejects.toThrow();
    await waits(0);
    server.closeAllConnections();
    server.close();
  });
});

describe('POST /v1/backtests/{backtest_id}/share', () => {
  it('shares and unshares with an API key, by the same link as in the console', async () => {
    const summary = JSON.stringify({ symbol: 'ABCD.US', strategy: 'donchian' });
    const at = new Date();
    const id = await transaction(api.services.pool, (connection) =>
      insertKeptRun(connection, {
        userId: person.id,
        kind: 'backtest',
        createdAt: at,
        isCached: false,
        summary,
        spec: {},
        selection: null,
        line: null,
      }),
    );
    const shared = await api.post(`/v1/backtests/${id}/share`, undefined, person.program);
    expect(shared.body.data).toMatchObject({ shared: true, slug: expect.stringMatching(/^[\w-]{12}$/) });
    const ended = await api.post(`/v1/backtests/${id}/share`, { shared: false }, person.program);
    expect(ended.body.data).toEqual({ shared: false, slug: shared.body.data.slug, url: null, api_url: null });
    const again = await api.post(`/api/backtest/${id}/share`, {}, person.console);
    expect(again.body.data).toEqual(shared.body.data);
    expect((await api.post(`/v1/backtests/${id}/share`, {}, (await addPerson(api)).program)).status).toBe(404);
    expect((await api.post(`/v1/backtests/${id}/share`, {})).status).toBe(403);
  });
});
