/**
 * Random sequences over several processes on one PostgreSQL: bursts, pauses, stalls in the middle of a statement, locked rows, different
 * clocks, a database that processes cannot reach. No window ever has more calls than the limit, and no call is refused while a unit
 * is left.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LimitRule } from '../../../api/access/rate-limit.ts';
import { createPool, type Pool, transaction } from '../../../db/pool.ts';
import { COUNTER_TIMEOUTS } from '../../../db/session-limits.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { LimiterProcess, TestTime } from '../../support/limiter-process.ts';

const WINDOW = 60;
/** Longest time from the use of a unit until the shared row forgets it: two buckets more than the window, and a step of the clock. */
const COUNTED = WINDOW + 3;
const COUNTER = 'model';

let database: TestDatabase;
let pool: Pool;
let time: TestTime;
let runs = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    url: database.url,
    max: 9,
    applicationName: 'counters',
    timeouts: { ...COUNTER_TIMEOUTS, lockMs: 50 },
  });
  time = new TestTime(database.pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

interface Call {
  readonly at: number;
  readonly process: number;
  readonly isLocal: boolean;
}

/** A process and its state in the sequence. */
class Subject {
  /** Seconds that pass between the execution of its next statement and the answer. */
  stall = 0;
  pausedUntil = 0;
  awayUntil = 0;
  private process: LimiterProcess | undefined;

  async start(zero: number): Promise<void> {
    this.process = await LimiterProcess.start(pool, time, (text, run) => this.query(text, run), zero);
  }

  get running(): LimiterProcess {
    if (!this.process) throw new Error('the process has not started');
    return this.process;
  }

  get isPaused(): boolean {
    return time.now() < this.pausedUntil;
  }

  /** Does the periodic work of a process. */
  async tick(): Promise<void> {
    if (this.isPaused) return;
    await this.running.clock.sync().catch(() => {});
  }

  private async query(text: string, run: () => Promise<unknown>): Promise<unknown> {
    if (time.now() < this.awayUntil)
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' });
    const result = await run();
    if (this.stall > 0 && text.includes('insert into rate_limits')) {
      const stalled = this.stall;
      this.stall = 0;
      await time.pass(stalled);
    }
    return result;
  }
}

class Course {
  readonly key = `${COUNTER}:${runs++}`;
  readonly rule: LimitRule;
  readonly subjects: readonly Subject[];
  readonly passed: Call[] = [];

  constructor(limit: number, processes: number) {
    this.rule = { category: 'quote', limit, windowSeconds: WINDOW };
    this.subjects = Array.from({ length: processes }, () => new Subject());
  }

  async wait(seconds: number): Promise<void> {
    await time.pass(seconds);
    for (const subject of this.subjects) await subject.tick();
  }

  async burst(index: number, calls: number): Promise<(number | Error)[]> {
    const subject = this.subjects[index % this.subjects.length];
    if (subject.isPaused) return [];
    const { running } = subject;
    const others: (number | Error)[] = [];
    const call = async () => {
      const outcome = await running.call(this.key, this.rule);
      const made = { at: time.now(), process: index % this.subjects.length, isLocal: running.limiter.isLocal };
      if (outcome === 'passed') this.passed.push(made);
      else others.push(outcome);
      if (typeof outcome === 'number') this.expectUsedUp(made.at);
    };
    await Promise.all(Array.from({ length: calls }, call));
    return others;
  }

  /** Calls while the row is locked fail; no process considers the database unavailable. */
  async held(index: number, calls: number, seconds: number): Promise<void> {
    const subject = this.subjects[index % this.subjects.length];
    if (time.now() < subject.awayUntil || subject.isPaused || subject.running.limiter.isLocal) return;
    await transaction(database.pool, async (connection) => {
      await connection.query('select from rate_limits where key like $1 for update', [`${this.key}:%`]);
      // A key that was never counted has no row.
      for (const outcome of await this.burst(index, calls)) {
        if (typeof outcome !== 'number') expect(outcome).toMatchObject({ code: '55P03' });
      }
      expect(subject.running.limiter.isLocal).toBe(false);
      await this.wait(seconds);
    });
  }

  /** A call was refused: as many as the limit still count. */
  private expectUsedUp(at: number): void {
    const counted = this.passed.filter((call) => call.at > at - COUNTED);
    expect(counted.length).toBeGreaterThanOrEqual(this.rule.limit);
  }

  expectWithinLimit(calls: readonly Call[]): void {
    const times = calls.map(({ at }) => at).sort((a, b) => a - b);
    expect(times.filter((at, i) => times[i + this.rule.limit] - at < WINDOW)).toEqual([]);
  }

  /** The waiting time of a refused call is right, once all faults are over. */
  async expectRecovery(): Promise<void> {
    for (const subject of this.subjects) Object.assign(subject, { stall: 0, pausedUntil: 0, awayUntil: 0 });
    await this.wait(1);
    await this.burst(0, 1);
    await this.wait(1);
    const refused = (await this.burst(0, 2 * this.rule.limit)).at(-1);
    expect(refused).toBeGreaterThanOrEqual(1);
    await this.wait(Number(refused));
    expect(await this.burst(0, 1)).toEqual([]);
  }
}

const index = fc.nat({ max: 2 });
const calls = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 5 }) }, fc.integer({ min: 10, max: 90 }));
const seconds = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('burst' as const), index, calls }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: seconds(0.01, 1.2) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: seconds(1, 61) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('stall' as const), index, seconds: seconds(0.5, 6) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), index, seconds: seconds(0.5, 6) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('held' as const), index, calls, seconds: seconds(0, 3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('away' as const), index, seconds: seconds(0.5, 40) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(course: Course, step: Step): Promise<void> {
  if (step.kind === 'wait') return course.wait(step.seconds);
  if (step.kind === 'burst') return void (await course.burst(step.index, step.calls));
  if (step.kind === 'held') return course.held(step.index, step.calls, step.seconds);
  const subject = course.subjects[step.index % course.subjects.length];
  if (step.kind === 'stall') subject.stall = step.seconds;
  else if (step.kind === 'pause') subject.pausedUntil = time.now() + step.seconds;
  else subject.awayUntil = time.now() + step.seconds;
}

it(
  'never allows more calls than the limit in a window, and refuses none while a unit is left',
  async () => {
    const limit = fc.constantFrom(10, 60, 150);
    const zeros = fc.array(fc.integer({ min: -1_000, max: 1_000_000 }), { minLength: 1, maxLength: 3 });
    const steps = fc.array(step, { minLength: 10, maxLength: 70, size: 'max' });
    let all = 0;
    const property = fc.asyncProperty(limit, zeros, steps, async (limit, zeros, steps) => {
      const course = new Course(limit, zeros.length);
      for (const [i, subject] of course.subjects.entries()) await subject.start(zeros[i]);
      for (const step of steps) await take(course, step);
      await course.expectRecovery();
      course.expectWithinLimit(course.passed.filter(({ isLocal }) => !isLocal));
      for (const i of zeros.keys()) course.expectWithinLimit(course.passed.filter(({ process }) => process === i));
      all += course.passed.length;
    });
    await fc.assert(property, { numRuns: Number(process.env.MODEL_RUNS ?? 30), endOnFailure: true });
    expect(all).toBeGreaterThan(1_000);
  },
  deadline(120_000),
);
