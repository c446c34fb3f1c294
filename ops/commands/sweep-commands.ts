/** `npm run ops -- sweep …`: runs strategies on the whole market for an account. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { readMarketData } from '../../api/market/market-data.ts';
import { NOTHING_OWN } from '../../api/rules/resolve.ts';
import { sweepBody, sweepOf } from '../../api/sweeps/request.ts';
import { selectUserByEmail } from '../../db/accounts/users.ts';
import type { Pool } from '../../db/pool.ts';
import { type Sweep, selectLatestSweeps, selectSweep, selectSweepPace } from '../../db/sweeps/sweeps.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { enqueueSweep, removeSweep, retrySweep } from '../../jobs/sweep/enqueue.ts';
import { sweepCellsKey } from '../../storage/keys.ts';
import { act } from './audited-command.ts';
import { countOption, fail, progressBar, say, type Tools, tableOf, timeText, withTools } from './tools.ts';

interface RunOptions {
  readonly account: string;
  readonly file: string;
  readonly wait: boolean;
}

const POLL_MS = 500;
const BAR_FORMAT = '  {percentage}% {bar} | {left} left | {value}/{total} cells | {rate} a second | {workers}';
/** Columns of the text next to the bar, with millions of cells. */
const BAR_TEXT_COLUMNS = 78;

/** Queues a sweep from a file with a body of `POST /v1/sweeps`, and shows its progress. */
async function run({ account, file, wait }: RunOptions): Promise<void> {
  const body = sweepBody.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!body.success) return fail(`${file} is not a sweep: ${z.prettifyError(body.error)}`);
  const { universe } = body.data;
  if (typeof universe !== 'string' && 'screen' in universe)
    return fail('only the API can evaluate a screen: send the sweep there');
  await withTools(async (tools) => {
    const { config, pool, now } = tools;
    const user = await selectUserByEmail(pool, account);
    if (!user) return fail(`there is no account ${account}`);
    const { directory, sessions } = await readMarketData(pool);
    const distributableDay = newestDistributableDay(now());
    const newestSession = sessions.findLast((day) => day <= distributableDay) ?? null;
    const market = { directory, distributableDay, newestSession, mode: config.DISTRIBUTION_MODE };
    const requested = sweepOf(
      body.data,
      market,
      body.data.runs.map(() => NOTHING_OWN),
    );
    const id = randomUUID();
    const wanted = { id, userId: user.id, requestId: `ops:${id}`, at: new Date(now()), ...requested };
    const what = { action: 'sweep.create', target: 'sweep', targetId: id } as const;
    const queued = await act(tools, what, async (connection, boss) => {
      await enqueueSweep(connection, boss, wanted);
      return id;
    });
    if (queued === null) return;
    say(`sweep ${id}: ${(requested.instruments.length * requested.combinations).toLocaleString('en')} cells`);
    if (wait) await watch(pool, id);
  });
}

/** Shows a progress bar on a terminal until the sweep has ended, and then one line. */
async function watch(pool: Pool, id: string): Promise<void> {
  const bar = progressBar(BAR_FORMAT, BAR_TEXT_COLUMNS);
  let sweep = await selectSweep(pool, id);
  const unknown = { rate: '-', left: '-', workers: workersText(0) };
  if (process.stderr.isTTY && sweep) bar.start(sweep.cells, sweep.cellsDone, unknown);
  while (sweep !== null && sweep.finishedAt === null) {
    const { cellsPerSecond: rate, workers: count } = await selectSweepPace(pool, id);
    const workers = workersText(count);
    const left = rate ? `${Math.ceil((sweep.cells - sweep.cellsDone) / rate)} s` : '-';
    bar.update(sweep.cellsDone, { rate: rate ? Math.round(rate).toLocaleString('en') : '-', left, workers });
    await sleep(POLL_MS);
    sweep = await selectSweep(pool, id);
  }
  bar.stop();
  if (sweep === null) return fail(`sweep ${id} was removed`);
  if (sweep.status === 'failed') return fail(`sweep ${id} failed: ${sweep.errorCode}`);
  const seconds = ((sweep.finishedAt?.getTime() ?? 0) - (sweep.startedAt?.getTime() ?? 0)) / 1000;
  say(`done: ${sweep.cells.toLocaleString('en')} cells in ${seconds.toFixed(0)} s, ${sweepCellsKey(sweep.userId, id)}`);
}

const workersText = (count: number) => (count === 1 ? '1 worker' : `${count} workers`);

function rowOf({ id, status, userId, cells, cellsDone, createdAt }: Sweep) {
  const share = status === 'running' ? `${Math.floor((100 * cellsDone) / cells)} %` : '';
  return [id, timeText(createdAt), userId, status, share, cells.toLocaleString('en')];
}

async function cancel(tools: Tools, id: string): Promise<void> {
  const sweep = await selectSweep(tools.pool, id);
  if (!sweep) return fail(`there is no sweep ${id}`);
  const { userId } = sweep;
  const what = { action: 'sweep.cancel', target: 'sweep', targetId: id } as const;
  const removed = await act(tools, what, (connection, boss, { at }) =>
    removeSweep(connection, boss, { userId, id, requestId: `ops:${id}`, at }),
  );
  if (removed) say(`sweep ${id} is removed`);
}

async function retry(tools: Tools, id: string): Promise<void> {
  const sweep = await selectSweep(tools.pool, id);
  if (!sweep) return fail(`there is no sweep ${id}`);
  const what = { action: 'sweep.retry', target: 'sweep', targetId: id } as const;
  const retried = await act(tools, what, async (connection, boss, { at }) => {
    await retrySweep(connection, boss, sweep, at);
    return true;
  });
  if (retried) say(`sweep ${id} is resumed: ${sweep.chunks - sweep.chunksDone} of ${sweep.chunks} chunks are left`);
}

export function addSweepCommands(program: Command): void {
  const group = program.command('sweep').description('Strategies over the whole market');
  group
    .command('run')
    .description('Queue a sweep for an account and follow it')
    .requiredOption('--account <email>', 'e-mail address of the account')
    .requiredOption('--file <json>', 'a body of POST /v1/sweeps')
    .option('--no-wait', 'do not follow the sweep')
    .action(run);
  group
    .command('watch <id>')
    .description('Show the progress of a sweep')
    .action((id: string) => withTools(({ pool }) => watch(pool, z.uuid().parse(id))));
  group
    .command('list')
    .description('List the latest sweeps of all accounts')
    .option('--limit <n>', 'how many', countOption, 20)
    .action(({ limit }: { limit: number }) =>
      withTools(async ({ pool }) => {
        const sweeps = await selectLatestSweeps(pool, limit);
        if (sweeps.length === 0) return say('no sweep has been requested yet');
        say(tableOf(['id', 'created (UTC)', 'account', 'status', 'done', 'cells'], sweeps.map(rowOf)));
      }),
    );
  group
    .command('retry <id>')
    .description('Resume a failed sweep')
    .action((id: string) => withTools((tools) => retry(tools, z.uuid().parse(id))));
  group
    .command('cancel <id>')
    .description('Cancel and remove a sweep')
    .action((id: string) => withTools((tools) => cancel(tools, z.uuid().parse(id))));
}
