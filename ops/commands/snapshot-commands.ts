/** `npm run ops -- snapshot …`: the screener's snapshot of the market. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { countConnectedProcesses } from '../../db/connection-counts.ts';
import { type SnapshotRecord, selectSnapshots } from '../../db/market/snapshots.ts';
import { type QueueJob, selectJob, selectJobs } from '../../db/queue/queue-jobs.ts';
import { isReadable, SNAPSHOT_QUEUE } from '../../jobs/contracts/snapshot.ts';
import { checkNewSessions, describeHeld } from '../../jobs/quality/check-sessions.ts';
import { sendUnlessWaiting } from '../../jobs/queue/send.ts';
import { type Act, act } from './audited-command.ts';
import { tableOf, timeText } from './terminal.ts';
import { fail, say, type Tools, withTools } from './tools.ts';

const QUEUE = SNAPSHOT_QUEUE.name;
const POLL_MS = 200;

function rowOf(snapshot: SnapshotRecord): (string | number)[] {
  const { id, asOf, exportedAt, instruments, bars, format, engineVersion } = snapshot;
  const megabytes = (snapshot.bytes + (snapshot.means?.bytes ?? 0)) / 1e6;
  const use = isReadable(snapshot) ? 'yes' : 'no, another version';
  return [id, asOf, instruments, bars, `${megabytes.toFixed(1)} MB`, timeText(exportedAt), format, engineVersion, use];
}

const HEAD = ['id', 'as of', 'instruments', 'bars', 'size', 'built (UTC)', 'format', 'engine', 'usable'];

/** Why a job cannot build a snapshot now; null: it can. */
async function obstacle({ pool, log, now }: Tools): Promise<string | null> {
  const held = await checkNewSessions(pool, now(), log);
  if (held.length > 0) {
    return (
      `a loaded session looks wrong and is held back: ${describeHeld(held)}\n` +
      'Load it again ("npm run ops -- sync run --start DAY --end DAY") or release it ("npm run ops -- calendar release DAY"); see ops/docs/RUNBOOK.md#quality'
    );
  }
  const { worker } = await countConnectedProcesses(pool);
  return worker > 0 ? null : 'no worker is connected to the database; start one with "npm run worker" or "npm start"';
}

/** Prints each state of the job until it has ended. */
async function followJob({ pool }: Tools, id: string): Promise<QueueJob | null> {
  let shown = '';
  for (;;) {
    const job = await selectJob(pool, QUEUE, id);
    if (!job) return null;
    if (['completed', 'failed', 'cancelled'].includes(job.state)) return job;
    if (job.state !== shown) say(`snapshot job ${id}: ${job.state}`);
    shown = job.state;
    await sleep(POLL_MS);
  }
}

async function rebuild(): Promise<void> {
  await withTools(async (tools) => {
    const problem = await obstacle(tools);
    if (problem !== null) return fail(problem);
    const { pool } = tools;
    const what: Act = { action: 'snapshot.rebuild', target: 'snapshot', targetId: null };
    const queued = await act(tools, what, (_connection, boss) => sendUnlessWaiting(boss, QUEUE, { requestId: null }));
    const [waiting] = (await selectJobs(pool, { queue: QUEUE, state: 'waiting' }, { page: 1, size: 1 })).items;
    const job = await followJob(tools, queued ?? waiting?.id ?? '');
    const [newest] = await selectSnapshots(pool, 1);
    if (job && job.state !== 'completed') return fail(`the snapshot was not built: ${job.error ?? job.state}`);
    if (!newest) return fail('no snapshot was built: nothing is loaded yet');
    say(tableOf(HEAD, [rowOf(newest)]));
  });
}

async function status(): Promise<void> {
  await withTools(async ({ pool }) => {
    const kept = await selectSnapshots(pool, 10);
    if (kept.length === 0) fail('there is no snapshot yet');
    else say(tableOf(HEAD, kept.map(rowOf)));
  });
}

export function addSnapshotCommands(program: Command): void {
  const snapshot = program.command('snapshot').description("The screener's snapshot of the market");
  snapshot.command('rebuild').description('Queue a new snapshot and follow it').action(rebuild);
  snapshot.command('status').description('List the stored snapshots, newest first').action(status);
}
