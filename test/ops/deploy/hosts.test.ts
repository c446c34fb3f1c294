/** Files of ops/deploy/hosts against the service that they stand before. DEPLOY.md is followed with them in several-hosts.night.test.ts. */
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { CALL_TIMEOUTS } from '../../../db/session-limits.ts';
import { required } from '../../../engine/util/values.ts';
import { readConfig } from '../../../ops/config.ts';

const read = (name: string) => readFileSync(new URL(`../../../ops/deploy/hosts/${name}`, import.meta.url), 'utf8');
const numberIn = (text: string, pattern: RegExp) => Number(required(pattern.exec(text)?.[1], String(pattern)));

it('nginx waits longer than a call for its backtest, and a second for a host', () => {
  const nginx = read('nginx.conf');
  expect(numberIn(nginx, /proxy_read_timeout (\d+)s;/)).toBeGreaterThanOrEqual(2 * readConfig({}).BACKTEST_WAIT_S);
  expect(numberIn(nginx, /proxy_connect_timeout (\d+)s;/)).toBe(1);
});

it('PgBouncer says that its pool is full before work gives up, and leaves sessions to their clients', () => {
  const pooler = read('pgbouncer.ini');
  expect(pooler).toMatch(/^pool_mode = session$/m);
  expect(numberIn(pooler, /^query_wait_timeout = (\d+)$/m) * 1000).toBeGreaterThan(CALL_TIMEOUTS.connectMs);
  expect(numberIn(pooler, /^query_wait_timeout = (\d+)$/m)).toBeLessThan(5);
  expect(numberIn(pooler, /^server_login_retry = (\d+)$/m)).toBe(1);
});
