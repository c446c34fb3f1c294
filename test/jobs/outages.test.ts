/** Log lines of outages, and of errors with secrets that must not be logged. */

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { portOf } from '../../api/server/port-of.ts';
import { createPool, type Pool } from '../../db/pool.ts';
import { createLogger } from '../../jobs/logger.ts';
import { mayConcernDatabase, OutageLog } from '../../jobs/outages.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { S3Server } from '../support/s3-server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The database behind a proxy that can be closed. */
async function openDoor() {
  const { hostname, port } = new URL(database.url);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(Number(port), hostname);
    for (const end of [socket, onward]) {
      sockets.add(end);
      end.on('error', () => {}).on('close', () => sockets.delete(end));
    }
    socket.pipe(onward).pipe(socket);
  });
  const listen = async (on: number) => {
    server.listen(on, '127.0.0.1');
    await once(server, 'listening');
    return portOf(server);
  };
  const ownPort = await listen(0);
  return {
    url: Object.assign(new URL(database.url), { host: `127.0.0.1:${ownPort}`, search: '' }).href,
    close: () => {
      server.close();
      for (const socket of sockets) socket.resetAndDestroy();
    },
    open: () => listen(ownPort),
  };
}

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly outage?: string;
  readonly err?: Readonly<Record<string, unknown>>;
}

function listening(url?: string) {
  const written: string[] = [];
  const outages = new OutageLog();
  if (url) outages.watchDatabase(url);
  const log = createLogger('test', 'info', { outages, destination: { write: (line: string) => written.push(line) } });
  return { outages, log, written, lines: () => written.map((line): Line => JSON.parse(line)) };
}

async function failureOf(pool: Pool, sql: string, values: unknown[] = []): Promise<Error> {
  return pool.query(sql, values).then(
    () => {
      throw new Error('did not fail');
    },
    (error: Error) => error,
  );
}

describe('an outage of the database', () => {
  it('is logged in one line when it begins and one when it ends', async () => {
    const door = await openDoor();
    const { log, lines, written } = listening(door.url);
    const onError = (err: Error) => log.warn({ err }, 'a database connection broke');
    const pool = createPool({ url: door.url, max: 5, applicationName: 'test', onError });
    await Promise.all(Array.from({ length: 5 }, () => pool.query('select pg_sleep(0.1)')));
    door.close();
    for (let i = 0; i < 50; i++) {
      const err = await failureOf(pool, 'select 1');
      log.child({ queue: 'backtest' }).error({ err }, `statement ${i} failed`);
      log.warn({ reason: err.message }, 'job failed');
    }
    await eventually(
      async () => lines(),
      (all) => all.length > 0,
    );
    await door.open();
    await eventually(
      async () => lines(),
      (all) => all.length > 1,
    );
    expect(lines()).toMatchObject([
      { level: 50, msg: 'the database is away', outage: 'database' },
      { level: 40, msg: 'the database is back', outage: 'database', lines: 100 },
    ]);
    expect(written.join('').length).toBeLessThan(500);
    await pool.query('select 1');
    log.warn('and on it goes');
    expect(lines()).toHaveLength(3);
    await pool.end();
    door.close();
  });

  it('is not logged when only single connections break', async () => {
    const { log, lines } = listening(database.url);
    const pool = createPool({ url: database.url, max: 1, applicationName: 'test' });
    const err = await failureOf(pool, 'select pg_terminate_backend(pg_backend_pid())');
    for (let i = 0; i < 10; i++) log.warn({ err }, 'a database connection broke');
    await eventually(
      async () => lines(),
      (all) => all.length > 0,
    );
    expect(lines()).toMatchObject([{ msg: 'a database connection broke', left_out: 9 }]);
    await pool.end();
  });

  it('is not logged for failures of another server', async () => {
    const { log, lines } = listening(database.url);
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9000'), {
      code: 'ECONNREFUSED',
      port: 9000,
    });
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    log.warn({ err: refused }, 'the object storage does not answer');
    log.warn({ err: reset }, 'the object storage hung up');
    expect(
      mayConcernDatabase(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }), 5432),
    ).toBe(false);
    // Whether the second was the database's is asked first.
    await eventually(
      async () => lines(),
      (all) => all.length === 2,
    );
    expect(lines().map(({ msg }) => msg)).toEqual(['the object storage does not answer', 'the object storage hung up']);
  });
});

describe('an outage of the object storage', () => {
  it('is logged in one line when it begins, and one with the number of failed calls when it ends', async () => {
    const s3 = await S3Server.start();
    const storage = openStorage({ s3: s3.settings });
    const { outages, log, lines, written } = listening(database.url);
    outages.watchStorage(storage);
    const failure = () => storage.get('a').catch((error) => error);
    s3.intercept = ({ operation }) => (operation === 'GetObject' ? { status: 503, code: 'SlowDown' } : undefined);
    // The bucket answers other calls: a failure of one kind of call is not an outage.
    log.error({ err: await failure() }, 'an object could not be read');
    await eventually(
      async () => lines(),
      (all) => all.length === 1,
    );
    s3.intercept = () => ({ status: 503, code: 'SlowDown' });
    const err = await failure();
    for (let i = 0; i < 20; i++) {
      log.error({ err: new Error('a snapshot cannot be read', { cause: err }) }, 'a snapshot cannot be used');
      log.warn({ queue: 'export', reason: err.message }, 'job failed');
    }
    await eventually(
      async () => lines(),
      (all) => all.length === 2,
    );
    log.warn({ err, check: 'storage' }, 'readiness check failed');
    s3.intercept = () => undefined;
    await eventually(
      async () => lines(),
      (all) => all.length === 3,
    );
    log.error('and on it goes');
    expect(lines()).toMatchObject([
      { level: 50, msg: 'an object could not be read', err: { message: expect.stringContaining('SlowDown') } },
      { level: 50, msg: 'the object storage is away', outage: 'storage', reason: expect.any(String) },
      { level: 40, msg: 'the object storage is back', outage: 'storage', seconds: expect.any(Number), lines: 41 },
      { msg: 'and on it goes' },
    ]);
    expect(written.join('')).not.toContain('"stack"');
    s3.stop();
  });
});

describe('a full disk', () => {
  it('is logged once', async () => {
    const { log, lines } = listening();
    const err = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    for (let i = 0; i < 100; i++) log.error({ err }, 'settling a job failed');
    await eventually(
      async () => lines(),
      (all) => all.length > 0,
    );
    expect(lines().map(({ msg, outage }) => [msg, outage])).toEqual([['the disk is full', 'disk']]);
  });
});

describe('a logged error', () => {
  it('has no statement, values, row, or connection', async () => {
    const { log, lines, written } = listening();
    await database.pool.query(`insert into page_visitors values ('2024-01-02', 'somebody')`);
    const err = await failureOf(database.pool, `insert into page_visitors values ('2024-01-02', $1)`, ['somebody']);
    log.error({ err: Object.assign(err, { client: database.pool, query: 'insert into' }) }, 'failed');
    expect(Object.keys(lines()[0].err ?? {})).toEqual(['type', 'message', 'code', 'stack']);
    expect(written.join('')).not.toMatch(/insert into|somebody/);
  });

  it('has no password of a URL, and the first of several causes', () => {
    const { log, lines } = listening();
    const several = new AggregateError([new Error('connect ETIMEDOUT 10.0.0.1:25')]);
    log.error({ err: new Error('cannot use postgresql://app:hunter2@db/market', { cause: several }) }, 'failed');
    expect(lines()[0].err).toMatchObject({
      message: 'cannot use postgresql://[redacted]@db/market',
      cause: { message: 'connect ETIMEDOUT 10.0.0.1:25' },
    });
    expect(JSON.stringify(lines())).not.toContain('hunter2');
  });
});
