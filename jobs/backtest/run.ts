/** The job of a backtest: from its specification to a result that its caller waits for, and that its account may keep. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { lockUser } from '../../db/accounts/users.ts';
import {
  failRun,
  finishRun,
  finishRunWithResult,
  insertResult,
  isRunning,
  type RunFailure,
  type StartedRun,
  type StoredResult,
  startRun,
  useResult,
} from '../../db/backtests/backtest-runs.ts';
import { evictBacktests, insertBacktest } from '../../db/backtests/kept-backtests.ts';
import { isMissingReference } from '../../db/errors.ts';
import { type Connection, transaction } from '../../db/pool.ts';
import { runBacktest } from '../../engine/backtest/backtest.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { backtestKey, backtestPrefix } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { isOutOfSpace, isPermanent, type JobContext } from '../job-context.ts';
import { removePrefix } from '../storage/remove-objects.ts';
import { BACKTEST_PARTS, type BacktestSpec, backtestSpecSchema } from './contract.ts';
import { Histories, HistoryLedgers } from './history.ts';
import { noBarsFailure } from './range.ts';
import { equityJson, klinesJson, tradesView } from './report.ts';
import { summaryOf } from './summary.ts';

export const histories = new Histories();
export const ledgers = new HistoryLedgers();

export async function runBacktestJob(context: JobContext, { runId }: { readonly runId: string }): Promise<void> {
  const { pool, now, isLastAttempt } = context;
  const run = await startRun(pool, runId, new Date(now()));
  if (!run) return;
  const { dataVersion } = run;
  try {
    const spec = backtestSpecSchema.parse(run.order);
    const fingerprint = fingerprintOf(spec, dataVersion);
    const known = await useResult(pool, fingerprint);
    const result = known ?? (await compute(context, spec, dataVersion));
    if (!result) {
      const failure = noBarsFailure(spec, await ledgers.get(pool, dataVersion));
      return await failRun(pool, runId, failure, new Date(now()));
    }
    await finish(context, { id: runId, ...run }, { fingerprint, result, isCached: known !== null });
  } catch (error) {
    if (isLastAttempt || isPermanent(error)) await failRun(pool, runId, failureOf(error), new Date(now()));
    throw error;
  }
}

/** The failure that the caller of a run is told. */
export function failureOf(error: unknown): RunFailure {
  return { code: isOutOfSpace(error) ? 'storage_full' : 'internal', details: {} };
}

/** The same specification, data, and engine version have the same fingerprint and the same result. */
export function fingerprintOf(spec: object, version: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([ENGINE_VERSION, version, spec]))
    .digest();
}

async function compute({ pool }: JobContext, spec: BacktestSpec, version: string): Promise<StoredResult | null> {
  const { asOf, listedOn, delistedOn } = spec;
  const ledger = await ledgers.get(pool, version);
  const history = await histories.get(pool, spec.instrumentId, asOf, version);
  const outcome = runBacktest(spec, { ...history, asOf, lifetime: { listedOn, delistedOn } });
  if (!outcome) return null;
  return {
    summary: JSON.stringify(summaryOf(spec, outcome, ledger)),
    trades: JSON.stringify(tradesView(outcome)),
    klines: klinesJson(outcome),
    equity: equityJson(outcome, spec.execution.initialCapital),
  };
}

interface Finished {
  readonly fingerprint: Buffer;
  readonly result: StoredResult;
  readonly isCached: boolean;
}

/** Stores the result, keeps the backtest, and ends the run in one transaction, whose notification wakes the caller. */
async function finish(
  context: JobContext,
  run: StartedRun & { readonly id: string },
  finished: Finished,
): Promise<void> {
  const { pool, now, storage, log } = context;
  const { fingerprint, result, isCached } = finished;
  const at = new Date(now());
  const userId = run.isSaved ? run.userId : null;
  if (userId === null && !isCached) return finishRunWithResult(pool, run.id, { fingerprint, result, at });
  let evicted: readonly string[] = [];
  try {
    await transaction(pool, async (connection) => {
      if (userId !== null && !(await lockForKeeping(connection, userId, run.id))) return;
      if (!isCached) await insertResult(connection, fingerprint, result);
      const { historyMax } = run;
      const kept = userId === null ? null : await keep(connection, context, { userId, historyMax }, finished);
      evicted = kept?.evicted ?? [];
      await finishRun(connection, run.id, { fingerprint, isCached, backtestId: kept?.id ?? null }, at);
    });
  } catch (error) {
    // The account was deleted meanwhile, and the run with it.
    if (isMissingReference(error)) return log.debug({ runId: run.id }, 'the account of the backtest is gone');
    throw error;
  }
  // The nightly removal of orphans finds what cannot be removed now.
  for (const prefix of evicted) await removePrefix(storage, prefix);
}

/**
 * False when there is nothing to keep any more: the account is gone, or another attempt has kept the backtest, because a worker
 * that was presumed dead was still running it. The lock of the account lets attempts pass one at a time.
 */
async function lockForKeeping(connection: Connection, userId: number, runId: string): Promise<boolean> {
  return (await lockUser(connection, userId)) !== null && (await isRunning(connection, runId));
}

interface Keeping {
  readonly userId: number;
  /** How many backtests the account may keep; null: any number. */
  readonly historyMax: number | null;
}

/**
 * Keeps the backtest in the account and evicts the oldest ones beyond the limit of its plan. The lock of the account's row makes
 * the count exact, and makes a deletion of the account wait until the objects exist and can be deleted.
 */
async function keep(
  connection: Connection,
  { storage, now }: JobContext,
  { userId, historyMax }: Keeping,
  { result, isCached }: Finished,
): Promise<{ id: number; evicted: string[] }> {
  const createdAt = new Date(now());
  const id = await insertBacktest(connection, { userId, createdAt, isCached, summary: result.summary });
  await storeParts(storage, userId, id, result);
  const gone = historyMax === null ? [] : await evictBacktests(connection, userId, historyMax);
  return { id, evicted: gone.map((old) => backtestPrefix(userId, old)) };
}

/** Stores all objects of a kept backtest, or none. */
async function storeParts(
  storage: ObjectStorage,
  userId: number,
  backtestId: number,
  result: StoredResult,
): Promise<void> {
  const keyed = BACKTEST_PARTS.map((part) => ({ part, key: backtestKey(userId, backtestId, part) }));
  const stored = await Promise.allSettled(
    keyed.map(({ part, key }) => storage.put(key, Readable.from([Buffer.from(result[part])]))),
  );
  const failed = stored.find((outcome) => outcome.status === 'rejected');
  if (!failed) return;
  // The nightly removal of orphans finds what cannot be removed now.
  await Promise.allSettled(keyed.map(({ key }) => storage.remove(key)));
  throw failed.reason;
}
