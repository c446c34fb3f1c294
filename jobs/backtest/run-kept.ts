/** Runs whose results an account may keep: backtests and portfolios. */
import { Readable } from 'node:stream';
import { lockUser } from '../../db/accounts/users.ts';
import { type Connection, type Queryable, transaction } from '../../db/pool.ts';
import { evictKeptRuns, insertKeptRun, type KeptKind } from '../../db/runs/kept-runs.ts';
import {
  insertResult,
  insertTearSheet,
  type SharedKlines,
  type StoredResult,
  touchResult,
  useTearSheet,
} from '../../db/runs/run-results.ts';
import { finishRun, type RunFailure, type StartedRun, selectRunningSince } from '../../db/runs/runs.ts';
import { insertTrials } from '../../db/runs/trials.ts';
import { backtestKey, backtestPrefix } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { Comparison } from '../contracts/backtest.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { RUN_KINDS } from '../contracts/run-kinds.ts';
import { keptTearSheet, TEAR_SHEET } from '../contracts/tear-sheet.ts';
import { type RunContext, runFrame } from '../run-frame.ts';
import { removePrefix } from '../storage/remove-objects.ts';
import { NO_SELECTION, type RunSelection } from './trials.ts';

/** The part of a job's context that a run needs whose result may be kept. */
export type KeptContext = RunContext & Pick<JobContext, 'storage'>;

interface EndingRun extends StartedRun {
  readonly id: string;
  readonly kind: KeptKind;
}

export interface ComputedResult {
  readonly result: StoredResult;
  /** Its bars, in a form that several results share. */
  readonly klines?: SharedKlines;
  /** Its tear sheet as JSON text, if one was requested. */
  readonly tearSheet?: string;
}

/** A specification that may ask for a tear sheet. */
interface KeptSpec {
  readonly tearSheet?: Comparison;
}

interface Finished extends ComputedResult {
  readonly spec: KeptSpec;
  readonly isCached: boolean;
}

/** How results of one kind are computed. */
export interface KeptJob<S extends KeptSpec> {
  readonly kind: KeptKind;
  readonly readSpec: (spec: unknown) => S;
  /** The result on the data of a version, or why there is none. */
  readonly compute: (
    context: Pick<JobContext, 'pool' | 'now'>,
    spec: S,
    dataVersion: string,
  ) => Promise<ComputedResult | { readonly failure: RunFailure }>;
  /** The part of a result that depends on the account's history, computed at the end of each run. */
  readonly select?: (db: Queryable, userId: number | null, spec: S, result: StoredResult) => Promise<RunSelection>;
}

/** Runs the job. A stored result of the same specification on the same data is reused. */
export function runKept<S extends KeptSpec>(
  context: KeptContext,
  runId: string,
  { kind, readSpec, compute, select }: KeptJob<S>,
): Promise<void> {
  const { pool } = context;
  return runFrame(context, runId, async (run) => {
    const spec = readSpec(JSON.parse(run.spec));
    const known = run.isKnown ? await knownResult(pool, run, spec) : null;
    const outcome = known ?? (await compute(context, spec, run.dataVersion));
    if ('failure' in outcome) return outcome.failure;
    const selected = (await select?.(pool, run.userId, spec, outcome.result)) ?? NO_SELECTION;
    await finish(context, { id: runId, kind, ...run }, { spec, ...outcome, isCached: known !== null }, selected);
    return null;
  });
}

/** A stored result, with its tear sheet if the specification asks for one; null: it has to be computed. */
async function knownResult(db: Queryable, { fingerprint }: StartedRun, spec: KeptSpec): Promise<ComputedResult | null> {
  const result = await touchResult(db, fingerprint);
  if (result === null || spec.tearSheet === undefined) return result && { result };
  const tearSheet = await useTearSheet(db, fingerprint);
  return tearSheet === null ? null : { result, tearSheet };
}

/** Stores the result and the kept backtest and ends the run, in one transaction; its notification wakes the caller. */
async function finish(
  context: KeptContext,
  run: EndingRun,
  computed: Finished,
  { selection, trials }: RunSelection,
): Promise<void> {
  const { pool, now, storage, cost } = context;
  const { result, klines, tearSheet, isCached } = computed;
  const { fingerprint, kind, historyMax } = run;
  const at = new Date(now());
  const userId = run.isSaved ? run.userId : null;
  if (userId === null && !isCached) {
    if (tearSheet !== undefined) await insertTearSheet(pool, fingerprint, tearSheet);
    const sent = klines ? { ...result, klines: null } : result;
    return context.endRun({ fingerprint, result: sent, klines, selection, trials, at });
  }
  let evicted: readonly string[] = [];
  await transaction(pool, async (connection) => {
    if (!isCached) await insertResult(connection, fingerprint, result, klines?.sha256 ?? null);
    if (!isCached && tearSheet !== undefined) await insertTearSheet(connection, fingerprint, tearSheet);
    const createdAt = userId === null ? null : await lockForKeeping(connection, userId, run.id);
    if (userId !== null && createdAt === null) return;
    if (trials) await insertTrials(connection, trials);
    const keeping = userId !== null && createdAt && { kind, userId, historyMax, createdAt, selection };
    const kept = keeping ? await keep(connection, storage, keeping, computed) : null;
    evicted = kept?.evicted ?? [];
    const finished = { fingerprint, isCached, selection, backtestId: kept?.id ?? null, workerSeconds: cost.seconds() };
    await finishRun(connection, run.id, finished, at);
  });
  // If this fails, the nightly removal of orphans repeats it.
  for (const prefix of evicted) await removePrefix(storage, prefix);
}

/**
 * When the run was requested. Null when nothing is to be kept: the account was deleted, or another attempt has kept the
 * backtest already, because a worker was presumed dead and still ran. The lock of the account serializes attempts.
 */
async function lockForKeeping(connection: Connection, userId: number, runId: string): Promise<Date | null> {
  return (await lockUser(connection, userId)) === null ? null : await selectRunningSince(connection, runId);
}

interface Keeping {
  readonly kind: KeptKind;
  readonly userId: number;
  /** How many backtests the account may keep; null: any number. */
  readonly historyMax: number | null;
  /** That of the run, which the caller has seen. */
  readonly createdAt: Date;
  readonly selection: object | null;
}

/**
 * Keeps the backtest in the account and evicts the oldest ones beyond its plan. The lock of the account's row makes the
 * count exact, and a deletion of the account waits for it, so that it finds all objects.
 */
async function keep(
  connection: Connection,
  storage: ObjectStorage,
  { kind, userId, historyMax, createdAt, selection }: Keeping,
  { spec: { tearSheet: comparison, ...spec }, result, tearSheet, isCached }: Finished,
): Promise<{ id: number; evicted: string[] }> {
  const { summary } = result;
  const id = await insertKeptRun(connection, { userId, kind, createdAt, isCached, summary, spec, selection });
  const parts = RUN_KINDS[kind].kept.parts.filter((part) => result[part] !== null);
  const objects = new Map<string, string>(parts.map((part) => [part, result[part] ?? '[]']));
  if (comparison && tearSheet !== undefined) objects.set(TEAR_SHEET, keptTearSheet(comparison, tearSheet));
  await storeParts(storage, objects, (part) => backtestKey(userId, id, part));
  const gone = historyMax === null ? [] : await evictKeptRuns(connection, userId, historyMax);
  return { id, evicted: gone.map((old) => backtestPrefix(userId, old)) };
}

/** Stores all objects of a kept backtest, or none. */
async function storeParts(
  storage: ObjectStorage,
  parts: ReadonlyMap<string, string>,
  keyOf: (part: string) => string,
): Promise<void> {
  const keyed = [...parts].map(([part, text]) => ({ text, key: keyOf(part) }));
  const stored = await Promise.allSettled(
    keyed.map(({ text, key }) => storage.put(key, Readable.from([Buffer.from(text)]))),
  );
  const failed = stored.find((outcome) => outcome.status === 'rejected');
  if (!failed) return;
  // If this fails, the nightly removal of orphans repeats it.
  await Promise.allSettled(keyed.map(({ key }) => storage.remove(key)));
  throw failed.reason;
}
