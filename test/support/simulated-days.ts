/**
 * Days of the service on the sample market, by a clock that is moved: the scheduler's ticks, the jobs that they queue, and after each every
 * health check. The clock of New York is that of the calendar, so that its changes in March and November are lived through.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { PgBoss } from 'pg-boss';
import pino from 'pino';
import { presenceConnection } from '../../db/connection-counts.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { type Day, formatDay, formatNewYork, newYorkTime } from '../../engine/market/dates.ts';
import { QUEUE_NAMES } from '../../jobs/contracts/queues.ts';
import type { Deadlines } from '../../jobs/contracts/session-steps.ts';
import { examine, type Finding } from '../../jobs/health/check.ts';
import { HEALTH_CHECKS } from '../../jobs/health/checks.ts';
import { readOnce } from '../../jobs/health/installation.ts';
import type { HealthCheck } from '../../jobs/health/process-checks.ts';
import { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { readSessionGrid } from '../../jobs/quality/session-grid.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { sendUnlessWaiting } from '../../jobs/queue/send.ts';
import { runHandler } from '../../jobs/worker/handlers.ts';
import { scheduleDueSyncs } from '../../jobs/worker/scheduler.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { createSampleDatabase, type TestDatabase } from './database.ts';
import { removeTree } from './folders.ts';
import { testJobContext } from './job-context.ts';

const MS_PER_HOUR = 3_600_000;
/** Jobs that the scheduler queues at hours of UTC. */
const NIGHTLY = [
  ['storage.sweep', 9],
  ['verify.sample', 10],
  ['export.expire', 11],
] as const;

/**
 * Tight, in New York: loaded by the midnight at which the session may be distributed, and everything made from it half an hour later. With
 * a tick each hour, what is an hour off is an alarm.
 */
const DEADLINES: Deadlines = { load: 0, check: 30, snapshot: 30, lake: 30, signals: 30, webhooks: 30, impact: 30 };

const log = pino({ level: 'silent' });

export class SimulatedDays {
  /** Alarms, each with its moment in New York. */
  readonly alarms: string[] = [];
  /** Rounds of all checks. */
  rounds = 0;
  private at: number;
  private readonly provider: SampleProvider;
  private readonly folder = mkdtempSync(join(tmpdir(), 'simulated-days-'));
  /** A process counts by its connection. */
  private readonly presences: pg.Client[] = [];
  private database!: TestDatabase;
  private boss!: PgBoss;

  private constructor(first: Day) {
    this.at = newYorkTime(first, 12);
    this.provider = new SampleProvider({ symbols: 50, now: this.now });
  }

  /** At noon of a day, with everything loaded that is published. */
  static async start(first: Day): Promise<SimulatedDays> {
    const days = new SimulatedDays(first);
    days.database = await createSampleDatabase(days.provider);
    const { url } = days.database;
    days.boss = await openBoss({ url, log });
    for (const kind of ['worker', 'scheduler'] as const) {
      const presence = new pg.Client({ connectionString: url, application_name: presenceConnection(kind) });
      await presence.connect();
      days.presences.push(presence);
    }
    await days.work();
    return days;
  }

  private readonly now = () => this.at;

  /** Goes on to noon of a day. */
  async goOnTo(last: Day): Promise<void> {
    for (const end = newYorkTime(last, 12); this.at < end; ) {
      this.at += MS_PER_HOUR;
      await this.check();
      await this.work();
      await this.check();
    }
  }

  /** Sessions of a range whose cells are not all done in time. */
  async sessionsNotInTime(start: Day, end: Day): Promise<string[]> {
    const sessions = sessionsBetween(start, end);
    const options = { pool: this.database.pool, now: this.at, deadlines: DEADLINES };
    const rows = (await readSessionGrid(options, 2 * sessions.length + 10)).filter(
      ({ day }) => day >= start && day <= end,
    );
    const missing = sessions
      .filter((day) => !rows.some((row) => row.day === day))
      .map((day) => `${formatDay(day)}: none`);
    const isInTime = (made: string, isLate: boolean) => !isLate && ['done', 'idle', 'with_later'].includes(made);
    const late = rows.flatMap(({ day, cells }) =>
      cells
        .filter(({ state, isLate }) => !isInTime(state, isLate))
        .map(({ step, state }) => `${formatDay(day)}: ${step} ${state}`),
    );
    return [...missing, ...late];
  }

  /** Ticks and runs jobs as scheduler and worker do, until there is nothing to do. */
  private async work(): Promise<void> {
    const { boss, provider, now } = this;
    const { pool } = this.database;
    for (const [queue, hour] of NIGHTLY)
      if (this.at % (24 * MS_PER_HOUR) === hour * MS_PER_HOUR)
        await sendUnlessWaiting(boss, queue, { requestId: null });
    do await scheduleDueSyncs({ pool, boss, provider, now, log, revisitedSessions: 20 });
    while ((await this.runJobs()) > 0);
  }

  private async runJobs(): Promise<number> {
    let count = 0;
    for (const queue of QUEUE_NAMES) {
      for (const { id, data } of await this.boss.fetch(queue)) {
        count++;
        const run = () => runHandler(queue, this.contextOf(id), data);
        await run().then(
          () => this.boss.complete(queue, id),
          (error) => this.boss.fail(queue, id, error),
        );
      }
    }
    return count;
  }

  private contextOf(jobId: string) {
    const { pool, url } = this.database;
    return testJobContext({
      jobId,
      pool,
      databaseUrl: url,
      now: this.now,
      provider: async () => this.provider,
      boss: async () => this.boss,
      storage: this.storage(),
      workFolder: join(this.folder, 'work'),
    });
  }

  private readonly storage = () => openStorage({ folder: join(this.folder, 'objects') });

  private async check(): Promise<void> {
    const { now, storage } = this;
    const installation = readOnce({ pool: this.database.pool, now, storage, deadlines: DEADLINES });
    const told = ({ check, problems, consequences }: Finding<HealthCheck>): string[] => [
      ...problems.map(({ text }) => `${formatNewYork(this.at)} ${check.kind}: ${text}`),
      ...consequences.flatMap(told),
    ];
    this.alarms.push(...(await examine(HEALTH_CHECKS, installation)).flatMap(told));
    this.rounds++;
  }

  async stop(): Promise<void> {
    await this.boss.stop({ graceful: false });
    await Promise.all(this.presences.map((presence) => presence.end()));
    await this.database.drop();
    removeTree(this.folder);
  }
}
