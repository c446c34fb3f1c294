/** `npm run ops -- …`: the operator's tool. */
import './node-version.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { createAdmin, type NewAdmin } from '../api/accounts/admins.ts';
import { migrate, migrationStatus, rollback } from '../db/migrate.ts';
import { type Pool, transaction } from '../db/pool.ts';
import { selectRejectionGroups } from '../db/rejected-rows.ts';
import { type SnapshotRecord, selectSnapshots } from '../db/snapshots.ts';
import { SYNC_JOB_TYPES, type SyncJobType, selectLatestSyncJobs, selectSyncJob } from '../db/sync-jobs.ts';
import { BASES } from '../engine/basis.ts';
import { readNewestLoginCode } from '../jobs/mail/outbox.ts';
import { installQueue, openBoss, sendUnlessWaiting } from '../jobs/queue/boss.ts';
import { enqueueSync, retrySync, type SyncRequest } from '../jobs/sync/sync-request.ts';
import { addCalendarCommands } from './calendar-commands.ts';
import { clockOf } from './config.ts';
import { runDoctor } from './doctor.ts';
import { addExportCommands } from './export-commands.ts';
import { addJobCommands } from './job-commands.ts';
import { describeEnd, describeRejected, watchSyncs } from './load-progress.ts';
import { dayOption, emailOption, loginOption, passwordOption, symbolsOption } from './options.ts';
import { readConfigOrExit } from './process.ts';
import { outboxFolder } from './settings.ts';
import { describePlan } from './sync-plan.ts';
import { tableOf } from './tables.ts';
import { fail, say, type Tools, withTools } from './tools.ts';

/** Shows one job until it ends; the exit code says how. */
async function follow({ url, pool }: Tools, id: number): Promise<void> {
  const isDone = async () => (await selectSyncJob(pool, id))?.status !== 'running';
  await watchSyncs({ url, pool, isDone, afterId: id - 1, output: process.stdout });
  const job = await selectSyncJob(pool, id);
  if (job?.status !== 'ok') fail(`sync job ${id} failed: ${job?.error}`);
}

function describeSnapshot({ id, asOf, exportedAt, instruments, bars, bytes, engineVersion }: SnapshotRecord): string {
  const size = `${instruments} instruments, ${bars} bars, ${(bytes / 1e6).toFixed(1)} MB`;
  return `${String(id).padStart(6)}  as of ${asOf}  ${size}, exported ${exportedAt.toISOString()}, engine ${engineVersion}`;
}

/** The first snapshot after another; null when none comes within ten minutes. */
async function waitForSnapshot(pool: Pool, afterId: number): Promise<SnapshotRecord | null> {
  for (let look = 0; look < 1_200; look++) {
    const [newest] = await selectSnapshots(pool, 1);
    if (newest && newest.id > afterId) return newest;
    await sleep(500);
  }
  return null;
}

interface RunOptions {
  readonly type: SyncJobType;
  readonly start?: string;
  readonly end?: string;
  readonly basis?: SyncRequest['venue_mode'];
  readonly symbols?: string[];
  readonly wait: boolean;
  readonly dryRun: boolean;
}

const program = new Command('ops').description('Operate the market-data service');

const sync = program.command('sync').description('Synchronization with the data provider');
sync
  .command('run')
  .description('Queue a sync job and follow it')
  .addOption(new Option('--type <type>', 'what to synchronize').choices([...SYNC_JOB_TYPES]).default('daily_bars'))
  .option('--start <day>', 'first day, YYYY-MM-DD (daily bars)', dayOption)
  .option('--end <day>', 'last day, YYYY-MM-DD (daily bars)', dayOption)
  .addOption(new Option('--basis <basis>', 'only this venue basis (daily bars)').choices([...BASES]))
  .option('--symbols <list>', 'only these symbols, separated by commas (daily bars)', symbolsOption)
  .option('--dry-run', 'only say what would be loaded, and what it costs', false)
  .option('--no-wait', 'do not follow the job')
  .action((options: RunOptions) =>
    withTools(async (tools) => {
      const { start, end, basis, symbols } = options;
      const request = {
        ...{ start, end, venue_mode: basis },
        symbols,
      };
      if (options.dryRun) {
        say(await describePlan(tools, options.type, request));
        return;
      }
      const boss = await openBoss({ url: tools.url, log: tools.log });
      try {
        const order = { jobType: options.type, request, requestedBy: 'ops' };
        const id = await transaction(tools.pool, (connection) => enqueueSync(connection, boss, order));
        say(`sync job ${id} queued`);
        if (options.wait && id !== null) await follow(tools, id);
      } finally {
        await boss.stop({ graceful: false });
      }
    }),
  );
sync
  .command('list')
  .description('The latest sync jobs')
  .option('--limit <n>', 'how many', Number, 20)
  .action(({ limit }: { limit: number }) =>
    withTools(async ({ pool }) => {
      for (const job of await selectLatestSyncJobs(pool, limit)) {
        const when = (job.finished_at ?? job.started_at ?? job.queued_at).toISOString().slice(0, 19);
        const outcome = job.status === 'running' ? `  running ${Math.floor(job.progress_pct)} %\n` : describeEnd(job);
        process.stdout.write(`${String(job.id).padStart(6)}  ${when}  ${job.requested_by.padEnd(10)}${outcome}`);
      }
    }),
  );
sync
  .command('retry')
  .description('Queue a failed sync job again, for what it has not loaded, and follow it')
  .argument('<id>', 'id of the sync job', Number)
  .action((id: number) =>
    withTools(async (tools) => {
      const boss = await openBoss({ url: tools.url, log: tools.log });
      try {
        const job = await selectSyncJob(tools.pool, id);
        if (job?.status !== 'failed') return fail(`sync job ${id} does not exist or has not failed`);
        await transaction(tools.pool, (connection) => retrySync(connection, boss, job, null));
        await follow(tools, id);
      } finally {
        await boss.stop({ graceful: false });
      }
    }),
  );

sync
  .command('rejected')
  .description('What a load has set aside, by reason and file, with the first row of each')
  .argument('<id>', 'id of the sync job', Number)
  .action((id: number) =>
    withTools(async ({ pool }) => {
      const job = await selectSyncJob(pool, id);
      if (job && job.rows_rejected > 0) say(describeRejected(job));
      const groups = await selectRejectionGroups(pool, id);
      const rows = groups.map(({ reason, count, source, content }) => [count, reason, source, content.slice(0, 80)]);
      say(
        rows.length > 0 ? tableOf(['rows', 'reason', 'first at', 'row'], rows) : `sync job ${id} has set nothing aside`,
      );
    }),
  );

const admin = program.command('admin').description('Administrators');
admin
  .command('create')
  .description('Create an administrator, or make one of an existing account')
  .requiredOption('--email <email>', 'e-mail of the account', emailOption)
  .requiredOption('--login <name>', 'name for the login by password', loginOption)
  .requiredOption('--password <password>', 'at least 8 characters', passwordOption)
  .action((options: NewAdmin) =>
    withTools(async ({ config, pool }) => {
      const created = await createAdmin(pool, clockOf(config)(), options);
      if (!created) return fail(`the login name "${options.login}" belongs to another account`);
      const { user, isNew } = created;
      say(
        `${user.email} (id ${user.id}) ${isNew ? 'was created as' : 'is now'} an administrator, login "${user.login}"`,
      );
    }),
  );

program
  .command('login-code')
  .description('Show the code of the newest login mail to an address (mails in DATA_DIR/outbox only)')
  .argument('<email>', 'where it was sent', emailOption)
  .action(async (email: string) => {
    const config = readConfigOrExit();
    if (config.SMTP_URL) return fail('mails go out by SMTP_URL: the code is in the mailbox only');
    const sent = await readNewestLoginCode(outboxFolder(config), email);
    if (sent) say(`${sent.code}  (sent ${sent.sentAt})`);
    else fail(`no login mail to ${email} in ${outboxFolder(config)}`);
  });

const snapshot = program.command('snapshot').description("The screener's snapshot of the market");
snapshot
  .command('rebuild')
  .description('Queue a new snapshot and wait until it is served')
  .action(() =>
    withTools(async ({ url, pool, log }) => {
      const before = (await selectSnapshots(pool, 1))[0]?.id ?? 0;
      const boss = await openBoss({ url, log });
      try {
        await sendUnlessWaiting(boss, 'snapshot.build', { requestId: null });
        const newest = await waitForSnapshot(pool, before);
        if (newest) say(describeSnapshot(newest));
        else fail('no new snapshot after 10 minutes; is a worker running?');
      } finally {
        await boss.stop({ graceful: false });
      }
    }),
  );
snapshot
  .command('status')
  .description('The snapshots that are kept, the served one first')
  .action(() =>
    withTools(async ({ pool }) => {
      const kept = await selectSnapshots(pool, 10);
      for (const one of kept) say(describeSnapshot(one));
      if (kept.length === 0) fail('there is no snapshot yet');
    }),
  );

addCalendarCommands(program);
addJobCommands(program);
addExportCommands(program);

const db = program.command('db').description('Database schema');
db.command('migrate')
  .description('Apply pending migrations and declare the queues')
  .action(() =>
    withTools(async ({ url }) => {
      const names = await migrate(url);
      await installQueue(url);
      say(names.length > 0 ? `applied: ${names.join(', ')}` : 'nothing to apply');
    }),
  );
db.command('rollback')
  .description('Take back the last batch of migrations')
  .action(() =>
    withTools(async ({ url }) => {
      const names = await rollback(url);
      say(names.length > 0 ? `taken back: ${names.join(', ')}` : 'nothing to take back');
    }),
  );
db.command('status')
  .description('Applied and pending migrations')
  .action(() =>
    withTools(async ({ url }) => {
      const { applied, pending } = await migrationStatus(url);
      for (const name of applied) say(`applied  ${name}`);
      for (const name of pending) say(`pending  ${name}`);
    }),
  );

program
  .command('doctor')
  .description('Check database, queue, storage, provider and data, and say what to do')
  .action(() =>
    withTools(async ({ config, url, pool }) => {
      const findings = await runDoctor(config, url, pool);
      for (const { name, problem } of findings)
        say(`${problem === null ? 'ok      ' : 'PROBLEM '}${name}${problem ? `: ${problem}` : ''}`);
      if (findings.some(({ problem }) => problem !== null)) process.exitCode = 1;
    }),
  );

await program.parseAsync();
