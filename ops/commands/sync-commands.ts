/** `npm run ops -- sync …`: loads from the data provider. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { selectLoadedSessions } from '../../db/market/loaded-sessions.ts';
import type { Pool } from '../../db/pool.ts';
import { selectFileReadings } from '../../db/queue/file-readings.ts';
import { SYNC_JOB_TYPES, type SyncJobType, selectLatestSyncJobs, selectSyncJob } from '../../db/queue/sync-jobs.ts';
import { selectRejectionGroups } from '../../db/queue/sync-units.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../engine/market/dates.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import type { SyncSpec } from '../../jobs/contracts/sync.ts';
import type { Provider } from '../../jobs/providers/provider.ts';
import { openProvider } from '../../jobs/providers/providers.ts';
import { enqueueSync, retrySync } from '../../jobs/sync/enqueue.ts';
import { forgetFiles, readForgettable } from '../../jobs/sync/forget.ts';
import { type LoadRange, loadRanges } from '../../jobs/sync/load-range.ts';
import { describeFiles, describeRejected, syncOutcome, titleOf, watchSyncs } from '../processes/load-progress.ts';
import { providerSettings } from '../settings.ts';
import { type Act, act } from './audited-command.ts';
import { countOption, dayOption, fail, say, symbolsOption, type Tools, tableOf, timeText, withTools } from './tools.ts';

/** A table of the sessions, loaded sessions, units, and the data that is read from a vendor, per venue basis. */
export async function describePlan(
  { config, pool, now }: Pick<Tools, 'config' | 'pool' | 'now'>,
  jobType: SyncJobType,
  spec: SyncSpec,
): Promise<string> {
  const provider = await openProvider(providerSettings(config), now);
  if (jobType !== 'daily_bars') return describeList(provider, jobType);
  const rows: (string | number | null)[][] = [];
  for (const range of await loadRanges(provider, spec)) rows.push(await describeRange(provider, pool, range));
  if (rows.length === 0) return 'the provider has published no bars on this venue basis';
  return tableOf(['basis', 'sessions', 'count', 'loaded already', 'units', 'requests', 'files', 'size', 'cost'], rows);
}

/** Describes the load of a list, whose length is not known before it is read. */
function describeList(provider: Provider, jobType: 'symbols' | 'adjustments'): string {
  const from = provider.lists?.[jobType];
  return `${jobType}: the whole list is read${from ? `, in pages: ${from.join(', ')}` : ''}`;
}

async function describeRange(
  provider: Provider,
  pool: Pool,
  { venueBasis, start, end }: LoadRange,
): Promise<(string | number | null)[]> {
  const sessions = sessionsBetween(start, end);
  const loaded = new Set(await selectLoadedSessions(pool, venueBasis));
  const units = sessions.length === 0 ? [] : await provider.planUnits(venueBasis, start, end);
  const read = await provider.estimateRead?.(units, venueBasis);
  const cost = sessions.length === 0 ? 0 : await provider.estimateCost?.(venueBasis, start, end);
  return [
    venueBasis,
    sessions.length > 0 ? `${formatDay(sessions[0])} … ${formatDay(sessions[sessions.length - 1])}` : '',
    sessions.length,
    sessions.filter((day) => loaded.has(day)).length,
    units.length,
    read?.requests ?? 0,
    read?.files ?? null,
    read ? sizeText(read.bytes) : null,
    cost === undefined ? 'free' : `$${cost.toFixed(2)}`,
  ];
}

function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1e3)} KB`;
}

/** Shows a job until it ends. If it fails, so does the command. */
async function follow({ url, pool }: Tools, id: number): Promise<void> {
  const isDone = async () => (await selectSyncJob(pool, id))?.status !== 'running';
  await watchSyncs({ url, pool, isDone, afterId: id - 1, output: process.stdout });
  const job = await selectSyncJob(pool, id);
  if (job?.status !== 'ok')
    fail(`sync job ${id} failed; after you have fixed the cause, retry it with "npm run ops -- sync retry ${id}"`);
}

interface RunOptions {
  readonly type: SyncJobType;
  readonly start?: string;
  readonly end?: string;
  readonly basis?: SyncSpec['venue_mode'];
  readonly symbols?: string[];
  readonly wait: boolean;
  readonly dryRun: boolean;
}

/** Why a range cannot have bars; null: it can. */
function emptyRange({ type, start, end }: RunOptions): string | null {
  if (type !== 'daily_bars' || start === undefined || end === undefined) return null;
  if (start > end) return `the range ends (${end}) before it starts (${start})`;
  const isClosed = sessionsBetween(requireDay(start), requireDay(end)).length === 0;
  return isClosed ? `no trading session from ${start} to ${end}: the exchange was closed` : null;
}

async function run(options: RunOptions): Promise<void> {
  const problem = emptyRange(options);
  if (problem !== null) return fail(problem);
  await withTools(async (tools) => {
    const { start, end, basis, symbols } = options;
    const spec: SyncSpec = { start, end, venue_mode: basis, symbols };
    if (options.dryRun) {
      say(await describePlan(tools, options.type, spec));
      return;
    }
    const jobType = options.type;
    const what: Act = {
      action: 'sync.create',
      target: 'sync_job',
      targetId: null,
      details: { job_type: jobType, request: spec },
    };
    const id = await act(
      tools,
      what,
      (connection, boss) => enqueueSync(connection, boss, { jobType, spec, requestedBy: 'ops' }),
      String,
    );
    if (id === null) return;
    say(`sync job ${id} queued`);
    if (options.wait) await follow(tools, id);
  });
}

async function list({ limit }: { readonly limit: number }): Promise<void> {
  await withTools(async ({ pool }) => {
    const jobs = await selectLatestSyncJobs(pool, limit);
    if (jobs.length === 0) return say('no load has been requested yet');
    const rows = jobs.map((job) => {
      const when = timeText(job.finished_at ?? job.started_at ?? job.queued_at);
      return [job.id, when, job.requested_by, titleOf(job), job.status, syncOutcome(job)];
    });
    say(tableOf(['id', 'time (UTC)', 'requested by', 'load', 'status', 'outcome'], rows));
    const files = await describeFiles(pool);
    if (files !== null) say(files);
  });
}

async function showFiles(id: number): Promise<void> {
  await withTools(async ({ pool }) => {
    const job = await selectSyncJob(pool, id);
    if (!job) return fail(`there is no sync job ${id}`);
    const { items } = await selectFileReadings(pool, job, { page: 1, size: 1_000 });
    if (items.length === 0) return say(`sync job ${id} has read no files`);
    const rows = items.map(({ path, layout, lines, loaded, repeated, rejected, leftOut, reason, told }) => [
      ...[path, layout, lines, loaded, repeated, rejected, leftOut],
      [reason, ...told].filter((text) => text !== null).join('; '),
    ]);
    say(tableOf(['file', 'layout', 'lines', 'loaded', 'repeated', 'rejected', 'left out', 'told'], rows));
  });
}

async function forget(paths: string[]): Promise<void> {
  await withTools(async (tools) => {
    const { files, unknown, beside } = await readForgettable(tools.pool, paths);
    if (unknown.length > 0)
      return fail(`no load has read ${unknown.join(', ')}; "sync files ID" lists the files of a load`);
    if (beside.length > 0)
      return fail(
        `${beside.join(', ')}: gone or not loaded whole, with the same instruments and days; mend them, or forget them too`,
      );
    const what: Act = { action: 'sync.forget', target: 'sync_job', targetId: null, details: { files: paths } };
    const ids = await act(tools, what, (connection, boss) => forgetFiles(connection, boss, files, 'ops'), String);
    if (ids === null) return;
    say(ids.length === 0 ? 'nothing can have vanished: no bars and no events' : `sync jobs ${ids.join(', ')} queued`);
    for (const id of ids) await follow(tools, id);
  });
}

async function retry(id: number): Promise<void> {
  await withTools(async (tools) => {
    const job = await selectSyncJob(tools.pool, id);
    if (!job) return fail(`there is no sync job ${id}`);
    if (job.status !== 'failed') return fail(`sync job ${id} has not failed (status ${job.status})`);
    const what: Act = { action: 'sync.retry', target: 'sync_job', targetId: String(id) };
    const queueJobId = await act(tools, what, (connection, boss) => retrySync(connection, boss, job, null));
    if (queueJobId !== null) await follow(tools, id);
  });
}

async function showRejected(id: number): Promise<void> {
  await withTools(async ({ pool }) => {
    const job = await selectSyncJob(pool, id);
    if (!job) return fail(`there is no sync job ${id}`);
    if (job.rows_rejected > 0) say(describeRejected(job));
    const groups = await selectRejectionGroups(pool, id);
    if (groups.length === 0) return say(`sync job ${id} rejected no row`);
    const rows = groups.map(({ reason, count, source, content }) => [count, reason, source, content.slice(0, 80)]);
    say(tableOf(['rows', 'reason', 'first at', 'row'], rows));
  });
}

function jobArgument(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected the id of a sync job, as "sync list" shows it');
}

export function addSyncCommands(program: Command): void {
  const sync = program.command('sync').description('Synchronization with the data provider');
  sync
    .command('run')
    .description('Queue a sync job and follow it')
    .addOption(new Option('--type <type>', 'kind of data to load').choices([...SYNC_JOB_TYPES]).default('daily_bars'))
    .option('--start <day>', 'first day, YYYY-MM-DD (daily bars)', dayOption)
    .option('--end <day>', 'last day, YYYY-MM-DD (daily bars)', dayOption)
    .addOption(new Option('--basis <basis>', 'only this venue basis (daily bars)').choices([...VENUE_BASES]))
    .option('--symbols <list>', 'only these symbols, separated by commas (daily bars)', symbolsOption)
    .option('--dry-run', 'only show what would be loaded and its cost', false)
    .option('--no-wait', 'do not follow the job')
    .action(run);
  sync
    .command('list')
    .description('List the latest sync jobs')
    .option('--limit <n>', 'how many', countOption, 20)
    .action(list);
  sync
    .command('files')
    .description('Show what became of every line of the files of a load')
    .argument('<id>', 'id of the sync job', jobArgument)
    .action(showFiles);
  sync
    .command('forget')
    .description('Remove what vanished with files, or from them: bars and events that no file has any more')
    .argument('<file...>', 'paths of the files, as "sync files" shows them')
    .action(forget);
  sync
    .command('retry')
    .description('Retry the units that a failed sync job did not load, and follow it')
    .argument('<id>', 'id of the sync job', jobArgument)
    .action(retry);
  sync
    .command('rejected')
    .description('Show the rejected rows of a load by reason and file, with the first row of each')
    .argument('<id>', 'id of the sync job', jobArgument)
    .action(showRejected);
}
