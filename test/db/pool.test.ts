import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isDatabaseUnreachable } from '../../db/errors.ts';
import { createPool, transaction } from '../../db/pool.ts';
import { CALL_TIMEOUTS } from '../../db/session-limits.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a transaction', () => {
  it('fails if its connection breaks between two statements, and leaves a working pool', async () => {
    const { pool } = database;
    await pool.query('create table notes (text text)');
    const broken = transaction(pool, async (connection) => {
      await connection.query(`insert into notes values ('lost')`);
      const { rows } = await connection.query('select pg_backend_pid() as pid');
      const ended = new Promise((end) => connection.once('end', end));
      await pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
      // Without a listener of the pool, the broken connection would end the process here.
      await ended;
      await connection.query(`insert into notes values ('late')`);
    });
    await expect(broken).rejects.toThrow();
    expect(isDatabaseUnreachable(await broken.catch((error) => error))).toBe(true);
    expect((await pool.query('select * from notes')).rows).toEqual([]);
  });
});

describe('a session', () => {
  it('has limits, which are set by a statement that a pooler passes on', async () => {
    const proxy = await TcpProxy.start(Number(new URL(database.url).port));
    const pool = createPool({
      url: proxy.through(database.url),
      max: 1,
      applicationName: 'test',
      timeouts: CALL_TIMEOUTS,
    });
    const { rows } = await pool.query(
      `select name, setting from pg_settings where source = 'session' and name ~ '_timeout$|^tcp_' order by 1`,
    );
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]))).toEqual({
      idle_in_transaction_session_timeout: 5_000,
      lock_timeout: 2_000,
      statement_timeout: 2_400,
      tcp_keepalives_count: 3,
      tcp_keepalives_idle: 5,
      tcp_keepalives_interval: 2,
      tcp_user_timeout: 10_000,
    });
    expect(proxy.beginnings.join()).not.toMatch(/_timeout|-c /);
    await pool.end();
    proxy.close();
  });

  it('off the request path waits for a reader that pauses longer than a call may last', async () => {
    const proxy = await TcpProxy.start(Number(new URL(database.url).port));
    const pool = createPool({ url: proxy.through(database.url), max: 1, applicationName: 'test' });
    expect((await pool.query('show tcp_user_timeout')).rows).toEqual([{ tcp_user_timeout: '300000' }]);
    await pool.end();
    proxy.close();
  });

  it('ends when its transaction has waited for its client for too long', async () => {
    const pool = createPool({ url: database.url, max: 1, applicationName: 'test' });
    const idle = transaction(pool, (connection) => new Promise((end) => connection.once('end', end)), {
      transactionIdleMs: 100,
    });
    expect(isDatabaseUnreachable(await idle.catch((error) => error))).toBe(true);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });
});

describe('a pool', () => {
  it('outlives a connection that breaks while it is handed to its user', async () => {
    const pool = createPool({ url: database.url, max: 1, applicationName: 'test' });
    await pool.query('select 1');
    let breaks = 0;
    // The pool has stopped listening, and the user runs after this microtask.
    pool.on('acquire', (connection) => {
      queueMicrotask(() => {
        breaks++;
        connection.emit('error', new Error('terminating connection due to administrator command'));
      });
    });
    await expect(transaction(pool, async () => 'done')).resolves.toBe('done');
    expect(breaks).toBe(1);
    await pool.end();
  });

  it('has the commits and plans that its user wants', async () => {
    const { url } = database;
    const settings = async (options: { isDurable?: boolean; isPlannedOnce?: boolean }) => {
      const pool = createPool({ url, max: 1, applicationName: 'test', ...options });
      const { rows } = await pool.query(
        `select current_setting('synchronous_commit') as commits, current_setting('plan_cache_mode') as plans`,
      );
      await pool.end();
      return rows[0];
    };
    expect(await settings({})).toEqual({ commits: 'on', plans: 'auto' });
    expect(await settings({ isPlannedOnce: true })).toEqual({ commits: 'on', plans: 'force_generic_plan' });
    expect(await settings({ isDurable: false, isPlannedOnce: true })).toEqual({
      commits: 'off',
      plans: 'force_generic_plan',
    });
  });
});
