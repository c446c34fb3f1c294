/** `npm run ops -- market …`: shows and changes the market of the database. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { countConnectedProcesses } from '../../db/connection-counts.ts';
import { auditedTransaction } from '../../db/log/audit-log.ts';
import {
  deleteMarket,
  replaceMarketSource,
  selectMarketSize,
  selectMarketSource,
} from '../../db/market/market-source.ts';
import { type SnapshotRecord, selectSnapshots } from '../../db/market/snapshots.ts';
import { migrate, selectPendingMigrations } from '../../db/migrate.ts';
import type { Pool } from '../../db/pool.ts';
import { type QueueJob, selectJob, selectJobs } from '../../db/queue/queue-jobs.ts';
import { isReadable, SNAPSHOT_QUEUE } from '../../jobs/contracts/snapshot.ts';
import { describeSource, findContentDifference } from '../../jobs/market-source.ts';
import { openProvider } from '../../jobs/providers/providers.ts';
import { checkNewSessions, describeHeld } from '../../jobs/quality/check-sessions.ts';
import { deleteJobs } from '../../jobs/queue/boss.ts';
import { sendUnlessWaiting } from '../../jobs/queue/send.ts';
import { removePrefix } from '../../jobs/storage/remove-objects.ts';
import { SNAPSHOT_PREFIXES } from '../../storage/keys.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { describeOtherMarket } from '../processes/database-check.ts';
import { marketSource, providerSettings, storageSettings } from '../settings.ts';
import { type Act, act, operatorIntent } from './audited-command.ts';
import { confirm, fail, say, type Tools, tableOf, timeText, withTools } from './tools.ts';

/** Whether no process of the service uses the database; otherwise prints what to do. */
export async function isServiceStopped(pool: Pool): Promise<boolean> {
  const running = Object.entries(await countConnectedProcesses(pool)).filter(([, count]) => count > 0);
  if (running.length === 0) return true;
  const names = running.map(([kind, count]) => `${count} ${kind}`).join(', ');
  fail(`The service is running on this database (${names}). Stop it first.`);
  return false;
}

async function describeLoaded(pool: Pool): Promise<string> {
  const source = await selectMarketSource(pool);
  if (!source) return 'no market';
  const { instruments, sessions } = await selectMarketSize(pool);
  return `${describeSource(source)} (${instruments.toLocaleString('en')} instruments, ${sessions.toLocaleString('en')} sessions)`;
}

async function show({ config, pool }: Tools): Promise<void> {
  say(`loaded      ${await describeLoaded(pool)}`);
  say(`configured  ${describeSource(marketSource(config))}`);
  const problem = await describeOtherMarket(config, pool);
  if (problem !== null) fail(problem);
}

/** Queues with jobs of the market. */
const MARKET_QUEUES = /^(sync\.|snapshot\.|lake\.|compare$)/;

/** Drops the market in one transaction; the next start loads the configured one. */
async function replace({ config, pool, url, now }: Tools, isAgreed: boolean): Promise<void> {
  if (!(await isServiceStopped(pool))) return;
  if ((await selectPendingMigrations(pool)).length > 0) await migrate(url);
  const asked = marketSource(config);
  const loaded = await describeLoaded(pool);
  const question =
    `Drop ${loaded} and load ${describeSource(asked)} at the next start? ` +
    'Accounts, keys, kept backtests, exports and articles stay.';
  if (!(await confirm(question, isAgreed))) return fail('Nothing was changed.');
  const at = new Date(now());
  const details = { from: await selectMarketSource(pool), to: asked };
  const intent = operatorIntent({ action: 'market.replace', target: 'market', targetId: asked.provider }, details);
  await auditedTransaction(pool, intent, at, async (connection) => {
    await deleteJobs(url, connection, MARKET_QUEUES);
    await deleteMarket(connection);
    await replaceMarketSource(connection, asked, at);
    return { result: undefined, entries: intent.entries };
  });
  await removeSnapshots(config);
  say(`Dropped ${loaded}. The next start loads ${describeSource(asked)}.`);
}

/** Removes the snapshots of the dropped market. */
async function removeSnapshots(config: Tools['config']): Promise<void> {
  const storage = openStorage(storageSettings(config));
  for (const prefix of SNAPSHOT_PREFIXES) await removePrefix(storage, prefix);
}

/** Accepts a folder that has moved. */
async function adopt({ config, pool, url, now }: Tools): Promise<void> {
  if (!(await isServiceStopped(pool))) return;
  if ((await selectPendingMigrations(pool)).length > 0) await migrate(url);
  const asked = marketSource(config);
  const recorded = await selectMarketSource(pool);
  if (!recorded) return fail('No market is loaded yet: the next start loads the configured one.');
  if (recorded.provider !== 'files' || asked.provider !== 'files') {
    return fail(
      `Only a folder of files can have moved. Loaded is ${describeSource(recorded)}, configured is ${describeSource(asked)}.`,
    );
  }
  if (recorded.folder === asked.folder) {
    say(`Nothing to do: ${asked.folder} is the recorded folder.`);
    return;
  }
  say(`Comparing ${asked.folder} with the loaded market …`);
  // A folder that was copied just now is compared as it is.
  const provider = await openProvider(providerSettings({ ...config, FILES_SETTLE_S: 0 }), now);
  const difference = await findContentDifference(pool, provider, new AbortController().signal);
  if (difference !== null) {
    return fail(
      `${asked.folder} does not have the loaded market: ${difference}. "npm run ops -- market replace" loads it instead.`,
    );
  }
  const at = new Date(now());
  const details = { from: recorded.folder, to: asked.folder };
  const intent = operatorIntent({ action: 'market.adopt', target: 'market', targetId: asked.provider }, details);
  await auditedTransaction(pool, intent, at, async (connection) => {
    await replaceMarketSource(connection, asked, at);
    return { result: undefined, entries: intent.entries };
  });
  say(`Accepted: the market now comes from ${asked.folder}.`);
}

export function addMarketCommands(program: Command): void {
  const market = program.command('market').description('The market in the database');
  market
    .command('show')
    .description('Show the loaded market and the configured one')
    .action(() => withTools(show));
  market
    .command('replace')
    .description('Drop the loaded market and use the configured one; account data stays')
    .option('--yes', 'do not ask', false)
    .action(({ yes }: { yes: boolean }) => withTools((tools) => replace(tools, yes)));
  market
    .command('adopt')
    .description('Accept a moved PROVIDER_DIR after comparing it with the loaded market')
    .action(() => withTools(adopt));
}

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
