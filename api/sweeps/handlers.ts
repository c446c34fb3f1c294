/** Handlers of the routes of sweeps. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { transaction } from '../../db/pool.ts';
import { selectRunStates } from '../../db/runs/runs.ts';
import { type Sweep, selectSweep, selectSweepRequest, selectSweeps } from '../../db/sweeps/sweeps.ts';
import { formatDay, MS_PER_DAY } from '../../engine/market/dates.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { EXPORT_CONTENT_TYPES } from '../../jobs/contracts/export.ts';
import { CELLS_KEPT_DAYS } from '../../jobs/contracts/sweep.ts';
import { enqueueSweep, removeSweep, retrySweep } from '../../jobs/sweep/enqueue.ts';
import { sweepCellsKey, sweepResultKey } from '../../storage/keys.ts';
import { type AccountCaller, ownerOf } from '../access/caller.ts';
import { assertPlanHas, assertWithin, boundsOf } from '../access/plans.ts';
import { Accepted, JsonStream, openObject, type StoredFileReply, storedFile } from '../http/answer/reply.ts';
import type { z } from '../http/input/fields.ts';
import { assertBars, screenedUniverse } from '../portfolios/universe.ts';
import { savedStrategyOf } from '../rules/resolve.ts';
import { isOfCall } from '../runs/request.ts';
import type { ScreenCall } from '../screener/services.ts';
import { isSweepRequest, type SweepBody, sweepOf } from './request.ts';
import type { readSweepSchema, sweepJobSchema } from './schemas.ts';
import { notesOf, pauseNotices, sweepView } from './view.ts';

export const SWEEPS_PATH = '/v1/sweeps';

type SweepCall = ScreenCall<AccountCaller>;

/** Records the sweep and starts it, unless another one of the account runs. */
export async function queueSweep(call: SweepCall, body: SweepBody): Promise<Accepted> {
  const { services, context, caller } = call;
  const { pool, boss, market, now } = services;
  assertPlanHas(caller, 'sweep_cells_max');
  const own = await Promise.all(body.runs.map(({ rules }) => savedStrategyOf(call, rules)));
  const { universe } = body;
  const isScreened = typeof universe !== 'string' && 'screen' in universe;
  const screened = isScreened ? await screenedUniverse(call, universe.screen, body, ['body', 'universe']) : null;
  const requested = sweepOf(body, market, own, screened);
  // A time range counts back from the last bar of each instrument: whatever has a bar has one in it.
  const withBars = await assertBars(services.longPool, requested.instruments, requested.spec);
  assertWithin(caller, 'sweep_cells_max', withBars * requested.combinations);
  const { requestId, idempotentJobId } = context;
  const earlier = idempotentJobId === null ? null : await selectSweep(pool, idempotentJobId);
  const isQueued = earlier !== null && isOfCall(earlier, now());
  const id = idempotentJobId !== null && (isQueued || earlier === null) ? idempotentJobId : randomUUID();
  const { userId } = caller.account;
  const at = new Date(now());
  if (!isQueued) {
    const sweep = { id, userId, at, requestId, bounds: boundsOf(caller.plan), ...requested };
    await transaction(pool, (connection) => enqueueSweep(connection, boss, sweep));
  }
  return acceptedSweep(call, id);
}

async function ownSweep({ services, caller }: SweepCall, id: string): Promise<Sweep> {
  const sweep = await selectSweep(services.pool, id);
  if (sweep?.userId !== caller.account.userId) throw new ServiceError('not_found');
  return sweep;
}

/** How far a sweep is; while it is under way, when that has changed or the time to wait is over. */
export async function sweepState(
  call: SweepCall,
  id: string,
  waitSeconds: number,
): Promise<z.input<typeof readSweepSchema>> {
  const { services, context, caller } = call;
  const sweep = await ownSweep(call, id);
  if (waitSeconds === 0 || sweep.finishedAt !== null) return readView(call, sweep);
  const [known] = await selectRunStates(services.pool, [id]);
  if (known) await services.runs.changed(ownerOf(caller), known, waitSeconds * 1000, context.abortSignal());
  return readView(call, await ownSweep(call, id));
}

async function readView(call: SweepCall, sweep: Sweep): Promise<z.input<typeof readSweepSchema>> {
  const [view, request] = await Promise.all([sweepView(call, sweep), selectSweepRequest(call.services.pool, sweep.id)]);
  return { ...view, request: isSweepRequest(request) ? request : null };
}

export async function listSweeps(call: SweepCall, query: { readonly page: number; readonly size: number }) {
  const { services, caller } = call;
  const { total, items } = await selectSweeps(services.pool, caller.account.userId, query);
  const pauses = pauseNotices(call);
  const views = await Promise.all(items.map((sweep) => sweepView(call, sweep, pauses)));
  return { total, page: query.page, size: query.size, items: views };
}

export async function cancelSweep({ services, context, caller }: SweepCall, id: string): Promise<{ deleted: true }> {
  const { pool, boss, now } = services;
  const { userId } = caller.account;
  const { requestId } = context;
  const wanted = { userId, id, requestId, at: new Date(now()) };
  found(await transaction(pool, (connection) => removeSweep(connection, boss, wanted)));
  return { deleted: true };
}

/** Lets a failed sweep go on where it was. */
export async function retryOwnSweep(call: SweepCall, id: string): Promise<Accepted> {
  const { pool, boss, now } = call.services;
  const sweep = await ownSweep(call, id);
  await transaction(pool, (connection) => retrySweep(connection, boss, sweep, new Date(now())));
  return acceptedSweep(call, id);
}

async function acceptedSweep(call: SweepCall, id: string): Promise<Accepted> {
  const { status } = await ownSweep(call, id);
  const location = `${SWEEPS_PATH}/${id}`;
  return new Accepted(location, { job_id: id, status, location } satisfies z.input<typeof sweepJobSchema>);
}

/** A sweep that is done; throws what it is instead. */
async function finishedSweep(call: SweepCall, id: string): Promise<Sweep> {
  const sweep = await ownSweep(call, id);
  if (sweep.status === 'failed') throw new ServiceError('sweep_failed');
  if (sweep.status !== 'done') throw new ServiceError('sweep_not_finished', { status: sweep.status });
  return sweep;
}

/** Passed on as the worker has written it, after the notes in the language of the caller. */
export async function sweepResult(call: SweepCall, id: string): Promise<JsonStream> {
  const sweep = await finishedSweep(call, id);
  const content = await openObject(call.services.storage, sweepResultKey(sweep.userId, id), 'not_found');
  return new JsonStream(textOf(content, notesOf(call, sweep)));
}

/** The text of an object with one more member, which comes first. */
async function* textOf(content: Readable, notes: object): AsyncGenerator<string> {
  content.setEncoding('utf8');
  let isFirst = true;
  for await (const piece of content) {
    const text = String(piece);
    yield isFirst ? text.replace(/^\{/, `{"notes":${JSON.stringify(notes)},`) : text;
    isFirst = false;
  }
}

export async function sweepCells(call: SweepCall, id: string): Promise<StoredFileReply> {
  const { storage, now } = call.services;
  const { userId, finishedAt, cellsBytes, cellsSha256, createdAt } = await finishedSweep(call, id);
  const isOld = finishedAt === null || finishedAt.getTime() + CELLS_KEPT_DAYS * MS_PER_DAY <= now();
  if (isOld || cellsBytes === null || cellsSha256 === null) throw new ServiceError('sweep_expired');
  const day = formatDay(Math.floor(createdAt.getTime() / MS_PER_DAY));
  const stored = {
    key: sweepCellsKey(userId, id),
    name: `sweep-${day}-${id.slice(0, 8)}-cells.parquet`,
    contentType: EXPORT_CONTENT_TYPES.parquet,
    bytes: cellsBytes,
    checksum: cellsSha256,
  };
  return storedFile(storage, stored, 'sweep_expired');
}
