/** The on-call page: an administrator repairs the service with the mouse alone. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { factorsBody, studyOf } from '../../api/factors/request.ts';
import { NOTHING_OWN } from '../../api/rules/resolve.ts';
import { sweepBody, sweepOf } from '../../api/sweeps/request.ts';
import { presenceConnection } from '../../db/connection-counts.ts';
import { bumpDataVersion } from '../../db/market/data-versions.ts';
import { saveSessionCheck } from '../../db/market/session-checks.ts';
import { type Connection, createPool, type Pool, transaction } from '../../db/pool.ts';
import { deletePause, insertPause } from '../../db/queue/queues.ts';
import { failSweep } from '../../db/sweeps/sweeps.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { enqueueStudy } from '../../jobs/factors/enqueue.ts';
import { send } from '../../jobs/queue/send.ts';
import { enqueueSweep, removeSweep } from '../../jobs/sweep/enqueue.ts';
import { addPerson } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder } from '../support/market-folder.ts';
import { findings, isTooWide, keepPicture, type OpenPage, openTestSite, type TestSite } from '../support/site.ts';
import { pictureName, VIEWS } from '../support/views.ts';

const HELD = '2026-05-28';
let site: TestSite;
let vendor: MarketFolder;
let scheduler: Pool;
let presence: Connection;
beforeAll(async () => {
  vendor = createMarketFolder();
  site = await openTestSite({ hasWorker: true, otherFolder: vendor.path });
  vendor.write('daily/consolidated/2026.csv', BARS_HEADER + (await vendorBars()));
  // A scheduler counts by its connection.
  scheduler = createPool({ url: site.database.url, max: 1, applicationName: presenceConnection('scheduler') });
  presence = await scheduler.connect();
});
afterAll(async () => {
  presence.release();
  await scheduler.end();
  await site.close();
  vendor.remove();
});

/** The newest bars of all instruments with differences: a split, a high, a volume, and a missing bar. */
async function vendorBars(): Promise<string> {
  const { rows } = await site.database.pool.query(
    `select i.symbol, d.day, d.open, d.high, d.low, d.close, d.volume from daily_bars d join instruments i on i.id = instrument_id
     where basis = 1 and day between '2026-05-18' and '2026-05-29' order by i.symbol, d.day`,
  );
  const changed = rows.flatMap(({ symbol, day, open, high, low, close, volume }) => {
    if (symbol === 'ACRX' && day === '2026-05-22') return [];
    const divisor = symbol === 'MTMX' && day < '2026-05-22' ? 2 : 1;
    const prices = [open, high, low, close].map((price) => price / divisor);
    if (symbol === 'ACRX' && day === '2026-05-28') prices[1] *= 1.02;
    const shares = symbol === 'LUMA' && day === '2026-05-29' ? Math.round(volume * 1.1) : volume * divisor;
    return [[symbol, day, ...prices, shares].join(',')];
  });
  return `${changed.join('\n')}\nXYZQ,2026-05-28,1,1,1,1,1\n`;
}

async function failLoad(): Promise<number> {
  const { rows } = await site.database.pool.query(
    `insert into sync_jobs (job_type, status, request, requested_by, queue_job_id, error, queued_at, started_at, finished_at)
     values ('daily_bars', 'failed', $1, 'scheduler', $2, 'the provider refused the credentials', now(), now(), now())
     returning id`,
    [{ start: '2026-05-27', end: '2026-05-27', venue_mode: 'consolidated' }, randomUUID()],
  );
  return rows[0].id;
}

async function holdSession(): Promise<void> {
  const figures = { rows: 30, zeroVolume: 0, rowsBefore: 45, zeroVolumeBefore: 0, jumps: 0 };
  const problems = ['30 rows, 15 fewer than the session before'];
  await saveSessionCheck(site.database.pool, 'consolidated', requireDay(HELD), figures, problems);
}

/** A load that has revised the held session and changed a kept run. */
async function reviseHeld(): Promise<void> {
  const { pool } = site.database;
  const { id: owner } = await addPerson(site.api);
  const bar = { open: 1, high: 1, low: 1, close: 1, volume: 1 };
  await pool.query(
    `insert into revisions (instrument_id, basis, day, was, became, sync_job_id, recorded_at) values (1, 1, $1, $2, null, 900, now())`,
    [HELD, bar],
  );
  await pool.query(
    `insert into load_impacts (sync_job_id, first_revision, last_revision, revisions, kept, hit, unproved, planned_at, done_at)
     values (900, 1, 1, 1, 1, 1, 0, now(), now())`,
  );
  const [before, after] = [12.5, -3.5].map((total_pnl_pct) => ({ total_pnl_pct, sharpe: 1, verdict: null }));
  await pool.query(
    `with run as (insert into backtests (user_id, created_at, is_cached, summary, name)
       values ($1, now(), false, '{}', 'Trend') returning id)
     insert into impacts (sync_job_id, backtest_id, state, before, after, change) select 900, id, 'changed', $2, $3, 16 from run`,
    [owner, before, after],
  );
}

/** A job that failed permanently; it has nothing to remove, so that a retry succeeds. */
async function failRemoval(message: string): Promise<string> {
  const id = randomUUID();
  await transaction(site.database.pool, async (connection) => {
    await send(site.api.services.boss, connection, 'storage.remove', id, { prefix: `users/${id}/`, requestId: null });
    await connection.query(
      `update pgboss.job set state = 'failed', retry_count = retry_limit, started_on = now(), completed_on = now(),
         output = $2 where id = $1`,
      [id, { message, stack: `Error: ${message}\n    at remove` }],
    );
  });
  return id;
}

async function openOnCall(view = {}): Promise<OpenPage> {
  const opened = await site.open(view, await addPerson(site.api, undefined, { isAdmin: true }));
  await opened.page.goto('/admin/ops');
  await opened.page.waitForSelector('ops-job-list table, ops-job-list p');
  return opened;
}

describe('the on-call page', () => {
  it('repairs a paused queue, a failed load, and a held session with the mouse alone, the root cause first', async () => {
    const load = await failLoad();
    await holdSession();
    await reviseHeld();
    await insertPause(site.database.pool, 'export', 'ada@example.com', new Date());
    const { page, context, faults } = await openOnCall();
    await page.getByRole('heading', { name: 'The queue export is paused by ada@example.com' }).waitFor();
    await page.getByRole('list', { name: '2 further problems' }).waitFor();
    await page.locator('ops-status-line').getByRole('button', { name: 'Resume export' }).click();

    await page.getByRole('heading', { name: `Load ${load} failed` }).waitFor();
    await page
      .locator('ops-status-line')
      .getByRole('button', { name: `Try again: load ${load}` })
      .click();

    await page.getByRole('heading', { name: 'The session of May 28, 2026 is held' }).waitFor();
    await page.getByRole('button', { name: 'May 28, 2026: held' }).click();
    await page.locator('ops-session-impact').getByText('Its corrections change 1 result of accounts:').waitFor();
    await page
      .locator('ops-session-impact')
      .getByText('Trend: total return 12.50%, Sharpe ratio 1.00 → total return −3.50%, Sharpe ratio 1.00')
      .waitFor();
    await page.locator('ops-session-grid').getByRole('button', { name: 'Release', exact: true }).click();
    await page.getByRole('dialog').getByText('30 rows, 15 fewer').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await page.getByText('The session of May 28, 2026 is released.').waitFor();
    await page.getByText(/All is well since \d{4}-\d\d-\d\d/).waitFor();
    expect(faults).toEqual([]);
    await context.close();
    const { rows } = await site.database.pool.query(
      `select action from audit_log where action in ('queue.resume', 'sync.retry', 'session.release') order by id`,
    );
    expect(rows.map(({ action }) => action)).toEqual(['queue.resume', 'sync.retry', 'session.release']);
  });

  it('tells of each session what is done and why not, and takes a step again once its consequences are known', async () => {
    const { pool } = site.database;
    const reason = 'the bucket refused 17 objects';
    await pool.query(
      `insert into session_steps (day, step, state, started_at, ended_at, reason) values ('2026-05-29', 'lake', 'failed', now(), now(), $1)
       on conflict (day, step) do update set state = 'failed', ended_at = now(), reason = excluded.reason`,
      [reason],
    );
    const { page, context, faults } = await openOnCall();
    const steps = page.locator('ops-session-steps');
    await steps.getByRole('button', { name: /^May 29, 2026, Consolidated: done/ }).waitFor();
    await steps.getByRole('button', { name: /^May 29, 2026, Files, tables: failed/ }).click();
    await steps.getByText(reason).waitFor();
    await steps.getByRole('button', { name: 'Run again' }).click();
    await steps.getByText('Run again: Files, tables, May 29, 2026.').waitFor();
    const queued = `select count(*)::int as count from pgboss.job where name = 'lake.write'`;
    const { rows: before } = await pool.query(queued);
    expect(await findings(page)).toEqual([]);
    await steps.getByRole('button', { name: 'Yes, run it' }).click();
    await steps.getByText('It is queued.').waitFor();
    expect((await pool.query(queued)).rows).toEqual([{ count: before[0].count + 1 }]);
    await steps.getByText('Load a range again').click();
    await steps.getByLabel('From').fill('2026-05-26');
    await steps.getByLabel('To', { exact: true }).fill('2026-05-28');
    await steps.getByRole('button', { name: 'Tell the cost' }).click();
    await steps.getByText('3 sessions').waitFor();
    await steps.getByText('Costs nothing').waitFor();
    await steps.getByRole('button', { name: 'Cancel' }).click();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('previews the retry of failed jobs', async () => {
    await failRemoval('the store is full: 17 of 17 GB');
    const { page, context, faults } = await openOnCall();
    await page.getByRole('heading', { name: '1 job of storage.remove failed, and none has completed since' }).waitFor();
    await page.locator('ops-status-line').getByText('the store is full: 17 of 17 GB').waitFor();
    expect(await page.locator('ops-failure-list').getByText('the store is full').count()).toBe(0);
    await page.getByRole('button', { name: 'Try again (1): storage.remove' }).click();
    await page.getByText('1 job would be tried again. Nothing has been done yet.').waitFor();
    const failed = `select count(*)::int as count from pgboss.job where name = 'storage.remove' and state = 'failed'`;
    expect((await site.database.pool.query(failed)).rows).toEqual([{ count: 1 }]);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try 1 job again now' }).click();
    await page.getByText('There are no failed jobs.').waitFor();
    await page.getByText(/All is well/).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('opens a job as a timeline, and pauses a queue', async () => {
    const job = await failRemoval('the store went away');
    await site.database.pool.query(
      `insert into job_attempts (queue, job_id, attempt, worker, taken_at, ended_at, error)
       values ('storage.remove', $1, 1, 'host-7 (process 42)', now(), now(), 'the worker died')`,
      [job],
    );
    const { page, context, faults } = await openOnCall();
    await page.getByRole('combobox', { name: 'State' }).selectOption('failed');
    const cell = page.getByRole('cell', { name: 'host-7 (process 42)' });
    const line = page.getByRole('table', { name: 'Jobs' }).getByRole('row').filter({ has: cell });
    await line.waitFor();
    await line.getByRole('button', { name: 'storage.remove' }).click();
    await page.getByText(/^Attempt 1 of [\d,]+ started by host-7 \(process 42\)$/).waitFor();
    await page.getByText('Attempt 1 failed: the worker died').waitFor();
    await page.getByText('Failed: the store went away').waitFor();
    await page.getByText('Stack of the last failure').click();
    await page.getByText('at remove').waitFor();
    expect(await page.getByRole('button', { name: 'Pause snapshot.build' }).count()).toBe(0);
    await page.getByRole('button', { name: /^\d+ idle queues$/ }).click();
    await page.getByRole('button', { name: 'Pause snapshot.build' }).click();
    await page.locator('ops-queue-table').getByRole('button', { name: 'Resume snapshot.build' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.locator('ops-queue-table').getByRole('button', { name: 'Resume snapshot.build' }).click();
    await page.getByRole('button', { name: 'Pause snapshot.build' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('finds jobs by an address, and changes all that match once they are shown', async () => {
    const { pool } = site.database;
    await pool.query(`delete from pgboss.job where state = 'failed'`);
    const [job] = [await failRemoval('the disk of 17 GB is full'), await failRemoval('another one')];
    const { page, context, faults } = await openOnCall();
    await page.goto(`/admin/ops?state=failed&text=${encodeURIComponent('disk of 17')}`);
    const table = page.getByRole('table', { name: 'Jobs' });
    await table.getByText('the disk of 17 GB is full').waitFor();
    expect(await table.getByText('another one').count()).toBe(0);
    await table.getByRole('button', { name: 'storage.remove' }).click();
    await page.getByText(job).first().waitFor();
    await page.getByRole('button', { name: 'Try all of these again' }).click();
    await page.getByText('1 job. Nothing has been done yet.').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Yes, 1 job' }).click();
    await page.getByText('1 job is changed; 0 skipped.').waitFor();
    await page.getByRole('heading', { name: 'Who runs what' }).waitFor();
    await page
      .locator('ops-instance-list')
      .getByText(/^Worker/)
      .first()
      .waitFor();
    await pool.query(`delete from pgboss.job where state = 'failed'`);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('tells at a session which load it is from, and the values that lines were rejected for', async () => {
    const { pool } = site.database;
    const { rows } = await pool.query(
      `insert into sync_jobs (job_type, status, request, requested_by, queue_job_id, queued_at, started_at, finished_at,
         rows_written, rows_rejected, rows_rejected_by_reason)
       values ('daily_bars', 'ok', $1, 'scheduler', $2, now(), now(), now(), 64, 1, '{"bad_price": 1}') returning id`,
      [{ start: '2026-05-27', end: '2026-05-27', venue_mode: 'consolidated' }, randomUUID()],
    );
    const line = { line: 12, text: '2026-05-27,ACRX,20.1,-3,19.8,20,1000', reason: 'bad_price' };
    const other = { line: 90, text: '2026-05-28,ACRX,0,0,0,0,0', reason: 'bad_price' };
    await pool.query(
      `insert into file_readings (sync_job_id, path, layout, bytes, modified_ms, lines, header, blank, loaded, repeated, rejected,
         left_out, first_line, by_reason, rejected_lines, told)
       values ($1, 'daily/2026.csv', 'bars', 1, 1, 67, 1, 0, 64, 0, 2, 0, 'date,symbol,open,high,low,close,volume', '{}', $2, '[]')`,
      [rows[0].id, JSON.stringify([line, other])],
    );
    const { page, context, faults } = await openOnCall();
    await page.getByRole('button', { name: 'May 27, 2026: loaded' }).first().click();
    const cell = page.locator('ops-session-load');
    await cell.getByText(`Load ${rows[0].id}`).waitFor();
    await cell.getByText('64 rows written · 1 rejected · bad price 1').waitFor();
    await cell.getByText('daily/2026.csv:12').waitFor();
    expect(await cell.locator('mark').allInnerTexts()).toEqual(['-3']);
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
    await pool.query('delete from sync_jobs where id = $1', [rows[0].id]);
  });

  it('loads missing sessions, after which the pages of readers continue automatically', async () => {
    await site.database.pool.query(`delete from pgboss.job where state = 'failed'`);
    await site.database.pool.query(`delete from loaded_sessions where day > '2026-05-20'`);
    await bumpDataVersion(site.database.pool, 'bars');
    const reader = await site.open();
    await reader.page.goto('/s/ACRX.US');
    await reader.page.getByRole('heading', { name: 'The newest sessions are not loaded yet' }).waitFor();
    await reader.page.getByText('Earlier ranges can still be tested.').waitFor();
    expect(await findings(reader.page)).toEqual([]);
    const { page, context, faults } = await openOnCall();
    await page.getByRole('heading', { name: 'The loaded data is 6 sessions behind' }).waitFor();
    await page.getByText('2 problems follow from it').click();
    await page.getByText('No new session has arrived for 6 sessions of the calendar').waitFor();
    await page.locator('ops-status-line').getByRole('button', { name: 'Load the newest sessions' }).click();
    await page.getByText(/All is well/).waitFor();
    await reader.page.waitForSelector('price-chart canvas');
    expect(faults).toEqual([]);
    await context.close();
    await reader.context.close();
  });

  it('is not needed for a failed run: its own page says why and what to do, and runs it again', async () => {
    const { pool } = site.database;
    await insertPause(pool, 'backtest', 'ada@example.com', new Date());
    const { page, context, faults } = await site.open();
    await page.goto('/backtest?symbol=ACRX.US&strategy=sma_cross&time_range=1Y&run=1');
    const queued = () => pool.query(`select from pgboss.job where name = 'backtest' and state = 'created'`);
    await eventually(queued, ({ rowCount }) => rowCount === 1);
    const notice = page.getByText('The operator has paused jobs of this kind.');
    await notice.waitFor();
    await pool.query(`update pgboss.job set state = 'failed', completed_on = now() where name = 'backtest'`);
    await page.getByRole('heading', { name: 'The job failed' }).waitFor();
    await page.getByText(/Nothing is lost: .* try a shorter range/).waitFor();
    expect(await notice.count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await deletePause(pool, 'backtest');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('run-chart canvas');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('is not needed to learn that a queue is paused: pages of searches and sweeps say so', async () => {
    const { pool } = site.database;
    const person = await addPerson(site.api, undefined, { plan: 'pro' });
    for (const queue of ['optimize', 'sweep.chunk']) await insertPause(pool, queue, 'ada@example.com', new Date());
    const { page, context, faults } = await site.open({}, person);
    const notice = page.getByText('The operator has paused jobs of this kind.');
    await page.goto(
      '/optimize?symbol=ACRX.US&strategy=sma_cross&time_range=1Y&g.fast_period=5:10:5&g.slow_period=20:40:20',
    );
    await notice.waitFor();
    expect(await findings(page)).toEqual([]);
    await deletePause(pool, 'optimize');
    await page.getByText(/^Of 4 combinations, this one is the best/).waitFor();
    expect(await notice.count()).toBe(0);

    const body = { universe: { symbols: ['ACRX.US'] }, runs: [{ strategy: 'donchian' }], time_range: '1Y' };
    const { job_id: id } = (await site.api.post('/v1/sweeps', body, person.program)).body.data;
    await page.goto(`/sweeps?id=${id}`);
    await notice.waitFor();
    expect(await findings(page)).toEqual([]);
    await deletePause(pool, 'sweep.chunk');
    await page.getByRole('heading', { name: 'By strategy and values' }).waitFor();
    expect(await notice.count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows the newest sessions of a market that ended months ago', async () => {
    const { pool } = site.database;
    await pool.query(`create table ranges_before as select * from provider_ranges`);
    await pool.query(`create table sessions_before as select * from loaded_sessions where day > '2026-02-17'`);
    await pool.query(`delete from loaded_sessions where day > '2026-02-17'`);
    await pool.query(`update provider_ranges set newest_session = '2026-02-17'`);
    const { page, context, faults } = await openOnCall();
    await page.getByText('Published to Feb 17, 2026').waitFor();
    await page.getByRole('button', { name: 'Feb 17, 2026: loaded' }).first().waitFor();
    expect(await page.getByText(/Nothing is loaded/).count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
    await pool.query(`insert into loaded_sessions select * from sessions_before`);
    await pool.query(`update provider_ranges p set newest_session = b.newest_session from ranges_before b
      where p.basis = b.basis`);
    await pool.query(`drop table sessions_before, ranges_before`);
  });

  it('lists factor studies beside sweeps', async () => {
    const { pool, boss, market } = site.api.services;
    const { id: userId } = await addPerson(site.api, undefined, { plan: 'enterprise' });
    const names = ['one', 'two', 'three', 'four', 'five', 'six'];
    const factors = names.map((name, i) => ({ name, value: `roc(${i + 1})` }));
    const body = factorsBody.parse({ universe: { all: true }, factors, time_range: '1Y' });
    const [id, requestId, at] = [randomUUID(), 'test', new Date()];
    const wanted = { ...(await studyOf(pool, body, market)), id, userId, requestId, at };
    await insertPause(pool, 'sweep.chunk', 'ada@example.com', at);
    await transaction(pool, (connection) => enqueueStudy(connection, boss, wanted));
    const { page, context, faults } = await openOnCall();
    await page.locator('ops-sweep-list').getByText('factor study · one, two, three, four, five …').waitFor();
    await transaction(pool, (connection) => removeSweep(connection, boss, { id, userId, requestId, at }));
    await deletePause(pool, 'sweep.chunk');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('lists every unfinished sweep, retries a failed one, and cancels it', async () => {
    const { pool, boss, market } = site.api.services;
    const owner = await addPerson(site.api, undefined, { plan: 'enterprise' });
    const id = randomUUID();
    const body = { universe: 'all', runs: [{ strategy: 'sma_cross' }], time_range: '1Y' };
    const requested = sweepOf(sweepBody.parse(body), market, [NOTHING_OWN]);
    const wanted = { ...requested, id, userId: owner.id, requestId: 'test', at: new Date() };
    // While their queue is paused, its chunks wait.
    await insertPause(pool, 'sweep.chunk', 'ada@example.com', new Date());
    await transaction(pool, (connection) => enqueueSweep(connection, boss, wanted));
    await failSweep(pool, id, 'internal', new Date());
    const { page, context, faults } = await openOnCall();
    const list = page.locator('ops-sweep-list');
    await list.getByText(owner.email).waitFor();
    await list.getByText('sweep · sma_cross').waitFor();
    await list.getByText('failed', { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    await list.getByRole('button', { name: `Try again: sweep of ${owner.email}` }).click();
    await list.getByText(`The sweep of ${owner.email} continues.`).waitFor();
    await list.getByText('running', { exact: true }).waitFor();
    await list.getByRole('button', { name: `Cancel: sweep of ${owner.email}` }).click();
    await page.getByRole('dialog').getByText('with everything that it has computed').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Yes, cancel it' }).click();
    await list.getByText(`The sweep of ${owner.email} is removed.`).waitFor();
    await list.getByText('No sweep is running, waiting, or failed.').waitFor();
    await deletePause(pool, 'sweep.chunk');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('compares the bars with those of another provider, and filters and downloads the differences', async () => {
    const { page, context, faults } = await openOnCall();
    const panel = page.locator('ops-comparisons');
    await panel.getByText('have not been compared').waitFor();
    await panel.getByText('Compare now').first().click();
    await panel.getByRole('button', { name: 'Compare now' }).click();
    await panel.getByText('The comparison is queued.').waitFor();
    const table = panel.getByRole('region', { name: 'Largest differences' });
    await table.getByRole('link', { name: 'MTMX.US' }).first().waitFor();
    await panel.getByText('Not compared').click();
    await panel.getByText('1 row with unknown tickers: XYZQ').waitFor();
    expect(await findings(page)).toEqual([]);
    await panel.getByRole('combobox', { name: 'Kind' }).selectOption('only_here');
    await table.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    await table.getByText('2026-05-22').waitFor();
    await panel.getByRole('combobox', { name: 'Kind' }).selectOption('');
    await panel.getByRole('searchbox', { name: 'Symbol' }).fill('NOPE');
    await panel.getByRole('searchbox', { name: 'Symbol' }).press('Enter');
    await panel.getByText('NOPE.US', { exact: false }).waitFor();
    await panel.getByRole('searchbox', { name: 'Symbol' }).fill('acrx');
    await panel.getByRole('searchbox', { name: 'Symbol' }).press('Enter');
    await table.locator('tbody tr').nth(2).waitFor({ state: 'detached' });
    await table.getByText('2026-05-28').waitFor();
    const download = page.waitForEvent('download');
    await panel.getByRole('button', { name: /^Download all differences \(Parquet/ }).click();
    expect((await download).suggestedFilename()).toMatch(/^comparison-\d+\.parquet$/);
    expect(faults).toEqual([expect.stringContaining('status of 404')]);
    await context.close();
  });

  it('is for administrators only', async () => {
    const { page, context } = await site.open({}, await addPerson(site.api));
    await page.goto('/admin/ops');
    await page.getByRole('heading', { name: 'Only administrators see this' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await context.close();
  });
});

describe.each(VIEWS)('in $locale, $theme, $width px wide', (view) => {
  it('the on-call page fits and is accessible', async () => {
    await holdSession();
    const { page, context, faults } = await openOnCall(view);
    await page.locator('.ops-cell.held').click();
    expect(await findings(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await keepPicture(page, pictureName('/admin/ops', view));
    expect(faults).toEqual([]);
    await context.close();
  });
});
