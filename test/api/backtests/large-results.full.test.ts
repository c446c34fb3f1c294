/** Large results are passed on as bytes: while they are read, another caller waits less than half a second. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PLANS } from '../../../api/access/plans.ts';
import { exampleOf } from '../../../api/docs/responses.ts';
import { z } from '../../../api/http/input/fields.ts';
import { storedResult } from '../../../db/runs/run-results.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { declareQueues } from '../../../jobs/queue/boss.ts';
import { backtestKey } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { openTestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { ensureLongMarket, LONG_MARKET_NOW } from '../../support/long-market.ts';
import { addCaller, type LoopServer, startLoopServer, WAIT_HEADER } from '../../support/loop-server.ts';

/** CPU time of the server from the arrival of the other call to its answer. */
const WAIT_MS = 500;
/** CPU time of one turn of the event loop. */
const TURN_MS = 50;
const READERS = 40;
const MEGABYTE = 1_000_000;

const TRADE = {
  symbol: 'LONG0.US',
  entry_date: '2020-01-02',
  entry_price: 101.25,
  exit_date: '2020-01-03',
  exit_price: 102.5,
  shares: 12.345678,
  pnl: 15.43,
  pnl_pct: 1.2346,
  bars_held: 1,
  commission: 0.25,
  mae_pct: -0.5,
  mfe_pct: 1.75,
  entry_reason: 'signal',
  exit_reason: 'rebalance',
};

/** Trades of a given size, as a job writes them. */
function tradesOf(bytes: number): string {
  const rows: string[] = [];
  for (let length = 0; length < bytes; length += rows[rows.length - 1].length + 1) {
    rows.push(JSON.stringify({ ...TRADE, seq: rows.length + 1, pnl: rows.length % 977 }));
  }
  return `[${rows.join(',')}]`;
}

/** The summary of the example of a portfolio. */
function summaryOf(): object {
  const example = z.looseObject({ data_range: z.looseObject({}) }).parse(exampleOf('runPortfolio', 200));
  const { notes: _notes, statistics: _statistics, selection: _selection, disclaimer: _disclaimer, ...rest } = example;
  const { trades: _trades, equity: _equity, positions: _positions, contributions: _contributions, ...figures } = rest;
  return { ...figures, note_codes: [], data_range: { ...figures.data_range, truncated: false, reason_codes: [] } };
}
const SUMMARY = summaryOf();

let database: TestDatabase;
let folder: string;
let server: LoopServer;
let userId: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'large-results-'));
  database = await createTestDatabase();
  await declareQueues(database.url);
  await ensureLongMarket(database.pool, 2);
  userId = await addCaller(database.pool);
  server = await startLoopServer(database.url, folder, userId);
}, deadline(60_000));
afterAll(async () => {
  server.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly body: Buffer;
  readonly replayed: boolean;
}

async function call(path: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<Answer> {
  const options = { host: '127.0.0.1', port: server.port, path, method, headers, agent: false } as const;
  const sent = request(options);
  sent.end(body);
  const [response] = await once(sent, 'response');
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  const { statusCode: status, headers: given } = response;
  return { status, body: Buffer.concat(pieces), replayed: given['idempotent-replayed'] === 'true' };
}

/** The answer of `work`, and the longest wait of another caller for a read and longest turn of the event loop in CPU time. */
async function beside<T>(work: () => Promise<T>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isOver = false;
  const other = async () => {
    do {
      const path = '/v1/kline/LONG1?days=30';
      const sent = request({ host: '127.0.0.1', port: server.port, path, agent, headers: { [WAIT_HEADER]: '1' } });
      sent.end();
      const [response] = await once(sent, 'response');
      for await (const _ of response);
      expect(response.statusCode).toBe(200);
    } while (!isOver);
  };
  const reading = other();
  const { value, ms: turnMs, waitMs } = await server.during(work);
  isOver = true;
  await reading;
  agent.destroy();
  return { value, waitMs, turnMs };
}

const PARTS = { equity: '[]', positions: '[]', contributions: '[]' };

/** A finished run of the caller, with trades of a given size. */
async function doneRun(bytes: number): Promise<string> {
  const fingerprint = randomBytes(32);
  const parts = { trades: tradesOf(bytes), ...PARTS };
  const { summary, lengths, body } = storedResult(SUMMARY, parts);
  await database.pool.query(
    'insert into backtest_results (fingerprint, summary, lengths, body) values ($1, $2, $3, $4)',
    [fingerprint, summary, lengths, body],
  );
  const { rows } = await database.pool.query(
    `insert into runs (id, kind, owner, user_id, is_saved, status, spec, fingerprint, is_cached, created_at, finished_at, turn)
     values (gen_random_uuid(), 'portfolio', $1, $2, false, 'done', '{}', $3, false, now(), now(), 0) returning id`,
    [`user:${userId}`, userId, fingerprint],
  );
  return rows[0].id;
}

/** A shared portfolio, with trades of a given size. */
async function sharedPortfolio(bytes: number): Promise<string> {
  const slug = randomBytes(9).toString('base64url');
  const { rows } = await database.pool.query(
    `insert into backtests (user_id, kind, created_at, is_cached, summary, slug, is_shared)
     values ($1, 'portfolio', now(), false, $2, $3, true) returning id`,
    [userId, SUMMARY, slug],
  );
  const parts = { trades: tradesOf(bytes), ...PARTS };
  const storage = openStorage({ folder });
  for (const [part, text] of Object.entries(parts)) {
    await storage.put(backtestKey(userId, rows[0].id, part), Readable.from([Buffer.from(text)]));
  }
  return slug;
}

const GUEST = { 'x-forwarded-for': '10.9.8.7' };
const COMPRESSED = { headers: { 'accept-encoding': 'br' } };

describe('another caller waits less than half a second next to', () => {
  const expectShort = ({ waitMs, turnMs }: { waitMs: number; turnMs: number }) => {
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThan(WAIT_MS);
    expect(turnMs).toBeLessThan(TURN_MS);
  };

  it(
    'a reader of a result of 42 MB',
    async () => {
      const path = `/v1/portfolio/jobs/${await doneRun(42 * MEGABYTE)}`;
      const measured = await beside(() => call(path, COMPRESSED));
      expect(measured.value.status).toBe(200);
      expectShort(measured);
      const { body } = await call(path);
      const trades = body.subarray(body.indexOf('"trades":') + '"trades":'.length, body.indexOf(',"equity":'));
      expect(trades.equals(Buffer.from(tradesOf(42 * MEGABYTE)))).toBe(true);
    },
    deadline(30_000),
  );

  it(
    'forty readers of one result of 4 MB',
    async () => {
      const path = `/v1/portfolio/jobs/${await doneRun(3.9 * MEGABYTE)}`;
      const measured = await beside(() => Promise.all(Array.from({ length: READERS }, () => call(path, COMPRESSED))));
      expect(new Set(measured.value.map(({ status }) => status))).toEqual(new Set([200]));
      expectShort(measured);
    },
    deadline(60_000),
  );

  it(
    'forty guests who read one shared portfolio of 5 MB',
    async () => {
      const path = `/api/portfolio/shared/${await sharedPortfolio(5.1 * MEGABYTE)}`;
      const measured = await beside(() => Promise.all(Array.from({ length: READERS }, () => call(path, COMPRESSED))));
      expect(new Set(measured.value.map(({ status }) => status))).toEqual(new Set([200]));
      expectShort(measured);
    },
    deadline(60_000),
  );

  it(
    'a call whose answer of 30 MB is replayed, byte for byte',
    async () => {
      const body = JSON.stringify({ symbol: 'LONG0', strategy: 'donchian', save: false });
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'large' };
      const send = (more: object = {}) =>
        call('/v1/backtest', { method: 'POST', headers: { ...headers, ...more }, body });
      const { job_id: id } = JSON.parse(String((await send()).body)).data;
      // As if the process had died after it had queued the run, and the run had ended since.
      const { rows } = await database.pool.query('select fingerprint from runs where id = $1', [
        await doneRun(30 * MEGABYTE),
      ]);
      await database.pool.query(
        `update runs set status = 'done', fingerprint = $2, is_cached = false, finished_at = now() where id = $1`,
        [id, rows[0].fingerprint],
      );
      await database.pool.query('delete from idempotency_answers');
      const first = await send();
      expect([first.status, first.replayed, first.body.length > 30 * MEGABYTE]).toEqual([200, false, true]);
      const measured = await beside(() => send({ 'accept-encoding': 'br' }));
      expect([measured.value.status, measured.value.replayed]).toEqual([200, true]);
      expectShort(measured);
      const again = await send();
      expect([again.replayed, again.body.equals(first.body)]).toEqual([true, true]);
    },
    deadline(60_000),
  );
});

it(
  'a result that is longer than the plan allows is cut off after a row, and says so',
  async () => {
    const now = () => LONG_MARKET_NOW;
    const provider = new SampleProvider({ symbols: 50, now });
    const api = await openTestApi({ database, provider, now, storage: openStorage({ folder }), realCallers: true });
    try {
      const max = PLANS.guest.quotas.result_bytes_max;
      const path = `/api/portfolio/shared/${await sharedPortfolio(max + MEGABYTE)}`;
      const { status, text, headers } = await api.get(path, GUEST);
      const body = JSON.parse(text);
      expect([status, body.data.truncated, headers['x-truncated']]).toEqual([200, true, 'true']);
      expect(body.data.notes.map(({ code }: { code: string }) => code)).toEqual(['cut_by_plan']);
      const cut = Buffer.byteLength(JSON.stringify(body.data.trades));
      expect(cut).toBeLessThanOrEqual(max);
      expect(cut).toBeGreaterThan(max - 1_000);
      expect(body.data.positions).toEqual([]);
      const again = await api.get(path, { ...GUEST, 'if-none-match': headers.etag });
      expect([again.status, again.text]).toEqual([304, '']);
      const whole = await api.get(`/api/portfolio/shared/${await sharedPortfolio(max - MEGABYTE)}`, GUEST);
      expect([whole.body.data.truncated, whole.headers['x-truncated']]).toEqual([undefined, undefined]);
    } finally {
      await api.close();
    }
  },
  deadline(20_000),
);
