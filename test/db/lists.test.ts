/** Every list with each filter alone and with all filters, on texts that have a meaning in SQL or for the query builder. */

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { selectLoginEvents, selectUsers, USER_SORTS } from '../../db/accounts/user-list.ts';
import { insertUser } from '../../db/accounts/users.ts';
import { selectArticles } from '../../db/articles/articles.ts';
import { selectAuditEntries } from '../../db/log/audit-log.ts';
import { selectLoadedSymbols } from '../../db/market/instruments.ts';
import type { Pool } from '../../db/pool.ts';
import type { Page, PageRequest } from '../../db/query-builder.ts';
import { selectExports } from '../../db/queue/exports.ts';
import { selectJobs } from '../../db/queue/queue-jobs.ts';
import { selectSyncJobs } from '../../db/queue/sync-jobs.ts';
import { selectKeptRuns } from '../../db/runs/kept-runs.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const HOSTILE = `?', "$1" \\? ?? :name %_ -- ;`;
const AT = new Date('2026-05-01T12:00:00Z');
const ORDER = { sort: 'last_login_at', isDescending: true } as const;

type List<Filter> = (pool: Pool, filter: Filter, page: PageRequest) => Promise<Page<unknown>>;

/** Returns the totals of a list with each filter alone and with all filters. */
async function totals<Filter extends object>(list: List<Partial<Filter>>, filters: Filter): Promise<number[]> {
  const alone: Partial<Filter>[] = [];
  for (const name in filters) {
    const one: Partial<Filter> = {};
    one[name] = filters[name];
    alone.push(one);
  }
  const pages = await Promise.all(
    [...alone, filters].map((filter) => list(database.pool, filter, { page: 1, size: 5 })),
  );
  return pages.map(({ total }) => total);
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a list with filters', () => {
  it('of accounts finds texts literally, and counts past the last page', async () => {
    const { pool } = database;
    for (const [i, name] of [HOSTILE, 'Ada', 'Grace'].entries()) {
      await insertUser(pool, {
        email: `${i}@example.com`,
        name,
        phone: null,
        nickname: null,
        language: 'en',
        ip: null,
        country: 'NL',
        at: AT,
      });
    }
    const found = await selectUsers(pool, { text: HOSTILE, plan: 'free' }, ORDER, { page: 1, size: 5 });
    expect([found.total, found.items.map(({ name }) => name)]).toEqual([1, [HOSTILE]]);
    expect(await selectUsers(pool, {}, ORDER, { page: 9, size: 5 })).toEqual({ total: 3, items: [] });
    for (const sort of USER_SORTS) {
      const { items } = await selectUsers(pool, {}, { sort, isDescending: false }, { page: 2, size: 2 });
      expect(items.map(({ email }) => email)).toEqual(['2@example.com']);
    }
    const filters = { text: 'a', plan: 'free', status: 'active', isAdmin: false, country: 'NL' } as const;
    expect(await totals((db, filter, page) => selectUsers(db, filter, ORDER, page), filters)).toEqual([
      3, 3, 3, 3, 3, 3,
    ]);
    expect(await selectLoginEvents(pool, 1, { page: 1, size: 5 })).toEqual({ total: 0, items: [] });
  });

  it('runs with every filter', async () => {
    expect(
      await totals(selectAuditEntries, {
        action: HOSTILE,
        actor: HOSTILE,
        targetType: HOSTILE,
        targetId: HOSTILE,
        result: 'failed',
        from: AT,
        to: AT,
      } as const),
    ).toEqual(Array(8).fill(0));
    expect(await totals(selectAuditEntries, { actor: '12' })).toEqual([0, 0]);
    expect(await totals(selectExports, { status: 'done', userId: 1 } as const)).toEqual([0, 0, 0]);
    expect(await totals(selectSyncJobs, { jobType: 'symbols', status: 'ok' } as const)).toEqual([0, 0, 0]);
    expect(await totals(selectJobs, { queue: HOSTILE, state: 'waiting', cause: HOSTILE } as const)).toEqual([
      0, 0, 0, 0,
    ]);
    expect(await totals(selectArticles, { status: 'published', category: 'data', text: HOSTILE } as const)).toEqual([
      0, 0, 0, 0,
    ]);
    expect(
      await totals((db, filter, page) => selectKeptRuns(db, 1, filter, page), {
        symbols: [HOSTILE, 'ACRX.US'],
        strategy: HOSTILE,
        start: AT,
        end: AT,
      }),
    ).toEqual(Array(5).fill(0));
    expect(await totals(selectLoadedSymbols, { text: HOSTILE, hasBars: true, isDelisted: true })).toEqual([0, 0, 0, 0]);
    expect(await totals(selectLoadedSymbols, { hasBars: false, isDelisted: false })).toEqual([0, 0, 0]);
  });
});
