/** Runs whose results an account may keep. */
import { Readable } from 'node:stream';
import { lockUser } from '../../db/accounts/users.ts';
import { type Connection, transaction } from '../../db/pool.ts';
import { evictKeptRuns, insertKeptRun, type KeptKind } from '../../db/runs/kept-runs.ts';
import { endRuns, type RunEnd } from '../../db/runs/run-ends.ts';
import { partsIn, type StoredResult, touchResult } from '../../db/runs/run-results.ts';
import { type RunFailure, type StartedRun, selectRunningSince } from '../../db/runs/runs.ts';
import { backtestKey, backtestPrefix } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { keptTearSheet, TEAR_SHEET } from '../contracts/tear-sheet.ts';
import { removePrefix } from '../storage/remove-objects.ts';
import type { RunContext } from './frame.ts';
import { ledgers } from './history.ts';
import type { Failed, KeptSpec, ReadContext, RunKind } from './kind.ts';
import { lineOf } from './line.ts';

/** The part of a job's context that a run needs whose result may be kept. */
export type KeptContext = RunContext & ReadContext & Pick<JobContext, 'storage'>;

/**
 * Computes a run of a kind and ends it, or returns why it fails. A stored result of the same specification on the same data is used
 * again; only the part that depends on the account's history is computed for each run.
 */
export async function runOfKind<Spec extends KeptSpec, Data extends object>(
  context: KeptContext,
  kind: RunKind<Spec, Data>,
  { id, keptAs }: { readonly id: string; readonly keptAs: KeptKind },
  run: StartedRun,
): Promise<RunFailure | null> {
  const { pool, now } = context;
  const { fingerprint, isKnown, isKept, userId, historyMax } = run;
  const spec = kind.spec.parse(JSON.parse(run.spec));
  const known = isKnown ? await touchResult(pool, fingerprint) : null;
  const result = known ?? (await compute(context, kind, spec, run.dataVersion));
  if ('failure' in result) return result.failure;
  const selected = await kind.selection(pool, userId, spec, result);
  const end = { fingerprint, result: known ? null : result, backtestId: null, ...selected, at: new Date(now()) };
  if (!isKept || userId === null) await context.endRun(end);
  else await keepAndEnd(context, { runId: id, kind: keptAs, userId, historyMax, spec, result }, end);
  return null;
}

async function compute<Spec extends KeptSpec, Data extends object>(
  context: KeptContext,
  kind: RunKind<Spec, Data>,
  spec: Spec,
  dataVersion: string,
): Promise<StoredResult | Failed> {
  const { pool, now } = context;
  const ledger = await ledgers.get(pool, dataVersion);
  const data = await kind.read(context, spec, dataVersion);
  if ('failure' in data) return data;
  return kind.result(pool, spec, data, ledger, { dataVersion, at: new Date(now()) });
}

interface Keeping {
  readonly runId: string;
  readonly kind: KeptKind;
  readonly userId: number;
  /** How many backtests the account may keep; null: any number. */
  readonly historyMax: number | null;
  readonly spec: KeptSpec;
  readonly result: StoredResult;
}

/** Keeps the result and ends the run, in one transaction. */
async function keepAndEnd(context: KeptContext, keeping: Keeping, end: Omit<RunEnd, 'workerSeconds'>): Promise<void> {
  const { pool, storage, cost } = context;
  const { runId, userId, historyMax } = keeping;
  const evicted = await transaction(pool, async (connection) => {
    const createdAt = await lockForKeeping(connection, userId, runId);
    if (createdAt === null) return [];
    const backtestId = await keep(connection, storage, keeping, { ...end, createdAt });
    const gone = historyMax === null ? [] : await evictKeptRuns(connection, userId, historyMax);
    await endRuns(connection, [{ id: runId, end: { ...end, backtestId, workerSeconds: cost.seconds() } }]);
    return gone;
  });
  // If this fails, the nightly removal of orphans repeats it.
  for (const id of evicted) await removePrefix(storage, backtestPrefix(userId, id));
}

/**
 * When the run was requested. Null when nothing is to be kept: the account was deleted, or another attempt has kept the
 * backtest already, because a worker was presumed dead and still ran. The lock of the account serializes attempts, makes the count of
 * what it keeps exact, and lets a deletion of the account wait, so that it finds all objects.
 */
async function lockForKeeping(connection: Connection, userId: number, runId: string): Promise<Date | null> {
  return (await lockUser(connection, userId)) === null ? null : await selectRunningSince(connection, runId);
}

/** Keeps the result in the account. Returns its id. */
async function keep(
  connection: Connection,
  storage: ObjectStorage,
  { kind, userId, spec: { tearSheet: comparison, ...spec }, result }: Keeping,
  { result: stored, selection, createdAt }: Pick<RunEnd, 'result' | 'selection'> & { readonly createdAt: Date },
): Promise<number> {
  const { summary, tearSheet } = result;
  const isCached = stored === null;
  const objects = new Map<string, Buffer>(partsIn(result));
  const equity = objects.get('equity');
  const line = equity ? lineOf(equity) : null;
  const id = await insertKeptRun(connection, { userId, kind, createdAt, isCached, summary, spec, selection, line });
  if (comparison && tearSheet !== null) objects.set(TEAR_SHEET, Buffer.from(keptTearSheet(comparison, tearSheet)));
  await storeParts(storage, objects, (part) => backtestKey(userId, id, part));
  return id;
}

/** Stores all objects of a kept backtest, or none. */
async function storeParts(
  storage: ObjectStorage,
  parts: ReadonlyMap<string, Buffer>,
  keyOf: (part: string) => string,
): Promise<void> {
  const keyed = [...parts].map(([part, bytes]) => ({ bytes, key: keyOf(part) }));
  const stored = await Promise.allSettled(keyed.map(({ bytes, key }) => storage.put(key, Readable.from([bytes]))));
  const failed = stored.find((outcome) => outcome.status === 'rejected');
  if (!failed) return;
  // If this fails, the nightly removal of orphans repeats it.
  await Promise.allSettled(keyed.map(({ key }) => storage.remove(key)));
  throw failed.reason;
}
