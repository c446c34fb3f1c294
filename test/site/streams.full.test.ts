/** Pages that wait for jobs: readers by one stream of events, guests and everybody without a stream by held calls. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { deletePause, insertPause } from '../../db/queue/queues.ts';
import { failSweep } from '../../db/sweeps/sweeps.ts';
import { addPerson } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
afterAll(() => site.close());

const pause = (queue: string) => insertPause(site.database.pool, queue, 'ada@example.com', new Date());
const resume = (queue: string) => deletePause(site.database.pool, queue);
const ofPlan = (plan: 'free' | 'pro') => addPerson(site.api, undefined, { plan });
const openStreams = (count: number) =>
  eventually(
    async () => site.api.services.streams.count,
    (open) => open === count,
  );

/** The addresses of streams and of states of jobs that a page asks for. */
function askedBy(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/v1/stream') asked.push(pathname);
    else if (search.startsWith('?wait=')) asked.push(search);
  });
  return asked;
}

const RUN = '/backtest?symbol=ACRX.US&strategy=donchian&time_range=1Y';
const shown = (page: Page) => page.waitForSelector('run-chart canvas');
const delayed = (page: Page) => page.getByText('The operator has paused jobs of this kind.');

it('follows a run by a stream, which is closed when it ends', async () => {
  const { page, context, faults } = await site.open({}, await ofPlan('free'));
  const asked = askedBy(page);
  await pause('backtest');
  await page.goto(RUN);
  await delayed(page).waitFor();
  await openStreams(1);
  await resume('backtest');
  await shown(page);
  expect(await delayed(page).count()).toBe(0);
  await openStreams(0);
  expect(asked.filter((address) => address !== '?wait=0')).toEqual(['/v1/stream']);
  expect(faults).toEqual([]);
  await context.close();
});

it('shows the progress of a search as it is told, without another call', async () => {
  const { pool } = site.database;
  const { page, context, faults } = await site.open({}, await ofPlan('pro'));
  const asked = askedBy(page);
  await pause('optimize');
  await page.goto(
    '/optimize?symbol=ACRX.US&strategy=sma_cross&time_range=1Y&g.fast_period=5:10:5&g.slow_period=20:40:20',
  );
  await delayed(page).waitFor();
  await openStreams(1);
  await eventually(
    async () => asked.length,
    (count) => count === 3,
  );
  const isJob = `kind = 'optimize' and finished_at is null`;
  await pool.query(`update runs set status = 'running', started_at = now(), progress_pct = 37.6 where ${isJob}`);
  await page.locator('progress[value="37"]').waitFor();
  expect(await delayed(page).count()).toBe(0);
  expect(asked).toEqual(['?wait=0', '/v1/stream', '?wait=0']);
  await pool.query(`update runs set status = 'queued', started_at = null, progress_pct = 0 where ${isJob}`);
  await resume('optimize');
  await page.getByText(/^Of 4 combinations, this one is the best/).waitFor();
  await openStreams(0);
  expect(faults).toEqual([]);
  await context.close();
});

it('shows the progress of a sweep as it changes, that it failed, and its result when it is tried again', async () => {
  const { pool } = site.database;
  const person = await ofPlan('pro');
  const { page, context, faults } = await site.open({}, person);
  await pause('sweep.chunk');
  const universe = { symbols: ['ACRX.US', 'LUMA.US'] };
  const body = { universe, runs: [{ strategy: 'donchian' }, { strategy: 'sma_cross' }], time_range: '1Y' };
  const { job_id: id } = (await site.api.post('/v1/sweeps', body, person.program)).body.data;
  // No worker computes it.
  await pool.query(`delete from pgboss.job where name = 'sweep.chunk'`);
  await resume('sweep.chunk');
  const asked = askedBy(page);
  await page.goto(`/sweeps?id=${id}`);
  await page.getByText(/^0 of \d+ cells$/).waitFor();
  await openStreams(1);
  await pool.query('update sweeps set cells_done = 1 where id = $1', [id]);
  await page.getByText(/^1 of \d+ cells$/).waitFor();
  await pool.query('update sweeps set cells_done = 0 where id = $1', [id]);
  await failSweep(pool, id, 'internal', new Date());
  await page.getByRole('alert').waitFor();
  await openStreams(0);
  expect(asked.filter((address) => address !== '?wait=0')).toEqual(['/v1/stream']);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'By strategy and values' }).waitFor();
  await openStreams(0);
  expect(asked).not.toContain('?wait=20');
  expect(faults).toEqual([]);
  await context.close();
});

it('follows every job of a page by one stream, which is closed with the last', async () => {
  const person = await ofPlan('pro');
  const body = { symbol: 'ACRX.US', strategy: 'donchian', time_range: '1Y', save: true };
  const { id } = (await site.api.post('/v1/backtest', body, person.program)).body.data;
  const { page, context, faults } = await site.open({}, person);
  const asked = askedBy(page);
  await Promise.all(['tear_sheet', 'verify'].map(pause));
  await page.goto(`/backtest?id=${id}`);
  await page.getByRole('button', { name: 'Verify' }).click();
  await eventually(
    async () => asked.length,
    (count) => count === 5,
  );
  await openStreams(1);
  await resume('verify');
  await page.locator('verification-report').waitFor();
  expect(site.api.services.streams.count).toBe(1);
  await resume('tear_sheet');
  await openStreams(0);
  expect(asked.filter((address) => address !== '?wait=0')).toEqual(['/v1/stream']);
  expect(faults).toEqual([]);
  await context.close();
});

it('asks readers to sign in again when their session ends meanwhile', async () => {
  const person = await ofPlan('free');
  const { page, context } = await site.open({}, person);
  await pause('backtest');
  await page.goto(RUN);
  await openStreams(1);
  await site.database.pool.query(`update users set status = 'disabled' where id = $1`, [person.id]);
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await openStreams(0);
  await resume('backtest');
  await context.close();
});

it('waits by held calls for guests, and where streams do not pass', async () => {
  for (const person of [undefined, await ofPlan('free')]) {
    const { page, context, faults } = await site.open({}, person);
    await page.route('**/v1/stream', (route) => route.fulfill({ body: '', contentType: 'text/event-stream' }));
    const asked = askedBy(page);
    await pause('backtest');
    await page.goto(RUN);
    await eventually(
      async () => asked,
      (addresses) => addresses.includes('?wait=20'),
    );
    await resume('backtest');
    await shown(page);
    const stream = person ? ['/v1/stream'] : [];
    expect(asked).toEqual(['?wait=0', ...stream, '?wait=20']);
    expect(faults).toEqual([]);
    await context.close();
  }
  expect(site.api.services.streams.count).toBe(0);
});
