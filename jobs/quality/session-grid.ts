/** The grid of sessions and their steps, against the deadlines. */
import { selectDataVersion } from '../../db/market/data-versions.ts';
import { type ProviderRange, selectNewestSession, selectProviderRanges } from '../../db/market/loaded-sessions.ts';
import { selectRecordedAt } from '../../db/market/market-source.ts';
import type { Pool } from '../../db/pool.ts';
import { type JobState, selectJobStates } from '../../db/queue/queue-jobs.ts';
import {
  loadStep,
  type RecordedStep,
  SESSION_STEPS,
  type SessionStep,
  selectSteps,
} from '../../db/queue/session-steps.ts';
import { type RunningLoad, selectRunningLoads } from '../../db/queue/sync-jobs.ts';
import { hasDueWatch } from '../../db/research/watches.ts';
import { hasDueImpact } from '../../db/runs/impacts.ts';
import { hasDueDelivery } from '../../db/webhooks/webhooks.ts';
import { newestDistributableDay, sessionsAfter, sessionsBetween } from '../../engine/market/calendar.ts';
import { type Day, type EpochMs, formatDay, requireDay } from '../../engine/market/dates.ts';
import { QUEUE_NAMES } from '../contracts/queues.ts';
import { type Deadlines, dueAt } from '../contracts/session-steps.ts';
import { CHECKED_VENUE_BASIS } from './check-sessions.ts';
import { FEED_STOPPED_SESSIONS } from './freshness.ts';

/**
 * `waiting`: for its turn, or for the steps before; `with_later`: done for a newer session, and for this one with it; `idle`: nothing to
 * do; `missing`: published and not loaded; `unpublished`: the provider does not have it.
 */
export const CELL_STATES = [
  'done',
  'running',
  'waiting',
  'held',
  'failed',
  'with_later',
  'idle',
  'missing',
  'unpublished',
] as const;
export type CellState = (typeof CELL_STATES)[number];

export interface StepCell {
  readonly step: SessionStep;
  readonly state: CellState;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly rows: number | null;
  /** Why it is not done; null: it is, or nothing is known. */
  readonly reason: string | null;
  readonly jobId: string | null;
  readonly dueAt: EpochMs;
  /** Whether it was or is not done by its deadline. What was due before the market was set up is never late. */
  readonly isLate: boolean;
}

export interface SessionRow {
  readonly day: Day;
  readonly cells: readonly StepCell[];
}

export interface GridOptions {
  readonly pool: Pool;
  readonly now: EpochMs;
  readonly deadlines: Deadlines;
}

/** The facts by which the cells of a grid are judged. */
interface Known {
  readonly recorded: ReadonlyMap<string, RecordedStep>;
  readonly ranges: readonly ProviderRange[];
  /** The states of the jobs of steps that seem to run. */
  readonly jobs: ReadonlyMap<string, JobState>;
  readonly loads: readonly RunningLoad[];
  /** The newest session with a step that covers the ones before. */
  readonly newest: ReadonlyMap<SessionStep, Day>;
  readonly loaded: Day | null;
  /** Steps that wait for their job at the newest loaded session. */
  readonly due: ReadonlySet<SessionStep>;
  /** When the market was set up; null: it is not. */
  readonly since: EpochMs | null;
}

/** The newest sessions that are known or expected, newest first. A market that is no longer published ends with its last session. */
export async function readSessionGrid(options: GridOptions, count: number): Promise<SessionRow[]> {
  const { pool, now } = options;
  const ranges = await selectProviderRanges(pool);
  const through = newestDistributableDay(now);
  const loaded = await selectNewestSession(pool, CHECKED_VENUE_BASIS, through);
  const known = Math.max(loaded ?? -Infinity, ...ranges.map(({ newestSession }) => newestSession));
  if (known === -Infinity) return [];
  const end = sessionsAfter(known, through) <= FEED_STOPPED_SESSIONS ? Math.max(known, through) : known;
  // Enough days for the sessions, with weekends and holidays.
  const days = sessionsBetween(end - Math.ceil(count * 1.5) - 10, end).slice(-count);
  if (days.length === 0) return [];
  const judged = await readKnown(options, ranges, loaded, days);
  return days.map((day) => ({ day, cells: cellsOf(day, judged, options) })).reverse();
}

/** Sessions that are looked through for late steps. */
const WATCHED_SESSIONS = 5;

/**
 * The newest published sessions with steps that are past their deadline and not done. Receivers of webhooks that do not answer are no
 * fault of the service.
 */
export async function lateSessions(options: GridOptions): Promise<SessionRow[]> {
  const isOpen = ({ step, state, isLate }: StepCell) =>
    isLate && state !== 'done' && state !== 'unpublished' && !(step === 'webhooks' && state === 'failed');
  const rows = await readSessionGrid(options, WATCHED_SESSIONS);
  const published = rows.filter(({ cells }) => cells[0].state !== 'unpublished');
  return published
    .map(({ day, cells }) => ({ day, cells: cells.filter(isOpen) }))
    .filter(({ cells }) => cells.length > 0);
}

async function readKnown(
  { pool, now }: GridOptions,
  ranges: readonly ProviderRange[],
  loaded: Day | null,
  days: readonly Day[],
): Promise<Known> {
  const steps = await selectSteps(pool, days[0], days[days.length - 1]);
  const running = steps.flatMap(({ state, jobId }) => (state === 'running' && jobId !== null ? [jobId] : []));
  const newest = new Map<SessionStep, Day>();
  for (const { step, day, doneAt } of steps) if (doneAt !== null) newest.set(step, day);
  return {
    // Bars of the primary venue's session end where consolidated ones begin.
    ranges: ranges.filter(({ newestSession }) => newestSession >= days[0]),
    loaded,
    newest,
    recorded: new Map(steps.map((step) => [`${step.step} ${step.day}`, step])),
    jobs: await selectJobStates(pool, QUEUE_NAMES, running),
    loads: await selectRunningLoads(pool),
    due: await readDueSteps(pool, now, loaded),
    since: (await selectRecordedAt(pool))?.getTime() ?? null,
  };
}

/** Steps for which a job has something to do: always those that make files. */
export async function readDueSteps(pool: Pool, now: EpochMs, loaded: Day | null): Promise<Set<SessionStep>> {
  const due = new Set<SessionStep>(['snapshot', 'lake']);
  if (loaded === null) return due;
  if (await hasDueWatch(pool, formatDay(loaded), await selectDataVersion(pool))) due.add('signals');
  if (await hasDueImpact(pool, CHECKED_VENUE_BASIS)) due.add('impact');
  if (await hasDueDelivery(pool, new Date(now))) due.add('webhooks');
  return due;
}

function cellsOf(day: Day, known: Known, { now, deadlines }: GridOptions): StepCell[] {
  const isShown = (step: SessionStep) => !step.startsWith('load_') || rangeOf(step, known) !== undefined;
  return SESSION_STEPS.filter(isShown).map((step) => {
    const recorded = known.recorded.get(`${step} ${day}`) ?? null;
    const { state, reason } = recorded
      ? recordedState(recorded, known)
      : { state: unrecordedState(step, day, known), reason: null };
    const due = dueAt(deadlines, step, day);
    const done = recorded?.doneAt?.getTime() ?? now;
    const isExpected = known.since !== null && due > known.since && state !== 'idle' && state !== 'with_later';
    return {
      step,
      state,
      reason,
      startedAt: recorded?.startedAt ?? null,
      endedAt: recorded?.endedAt ?? null,
      rows: recorded?.rows ?? null,
      jobId: recorded?.jobId ?? null,
      dueAt: due,
      isLate: isExpected && done > due,
    };
  });
}

/** The job of a step that seems to run may have died, or wait for its next attempt. */
function recordedState({ state, reason, jobId }: RecordedStep, { jobs }: Known): Pick<StepCell, 'state' | 'reason'> {
  const jobState = jobId === null ? undefined : jobs.get(jobId);
  if (state !== 'running' || jobState === 'active') return { state, reason };
  if (jobState === 'waiting' || jobState === 'retry') return { state: 'waiting', reason };
  return { state: 'failed', reason: 'the job has ended without it' };
}

const rangeOf = (step: SessionStep, { ranges }: Pick<Known, 'ranges'>): ProviderRange | undefined =>
  ranges.find(({ venueBasis }) => loadStep(venueBasis) === step);

function unrecordedState(step: SessionStep, day: Day, known: Known): CellState {
  const range = rangeOf(step, known);
  if (range) {
    if (known.loads.some((load) => isOf(load, range, day))) return 'running';
    return day >= range.firstSession && day <= range.newestSession ? 'missing' : 'unpublished';
  }
  const isLoaded = known.recorded.get(`${loadStep(CHECKED_VENUE_BASIS)} ${day}`)?.doneAt != null;
  if (!isLoaded) return 'waiting';
  if (step === 'check' || step === 'snapshot' || step === 'lake') {
    if ((known.newest.get(step) ?? -Infinity) <= day) return 'waiting';
    return step === 'check' ? 'idle' : 'with_later';
  }
  return day === known.loaded && known.due.has(step) ? 'waiting' : 'idle';
}

function isOf({ venueBasis, start, end }: RunningLoad, range: ProviderRange, day: Day): boolean {
  const isInRange = (start === null || requireDay(start) <= day) && (end === null || day <= requireDay(end));
  return isInRange && (venueBasis === null || venueBasis === range.venueBasis);
}
