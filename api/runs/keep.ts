/** Runs whose results an account may keep: run, shown, shared by a link, deleted. */
import { randomBytes } from 'node:crypto';
import { transaction } from '../../db/pool.ts';
import {
  deleteKeptRun,
  type KeptKind,
  type KeptRun,
  selectKeptRun,
  selectSharedRun,
  updateSharing,
} from '../../db/runs/kept-runs.ts';
import type { ResultPart } from '../../db/runs/run-results.ts';
import { found } from '../../engine/util/errors.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { enqueueRemoval } from '../../jobs/storage/enqueue.ts';
import { backtestPrefix } from '../../storage/keys.ts';
import { rowsOf } from '../http/answer/long-json.ts';
import type { JsonStream, JsonText } from '../http/answer/reply.ts';
import { idField, z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import type { sharingSchema } from './schemas.ts';
import type { AccountCall, RunCall } from './services.ts';
import type { DoneRun } from './state.ts';
import { openPart, presentationOf, runResult, savedResult } from './view.ts';

/** The result of a run that may be kept, with the long parts named. */
export function resultWith(call: RunCall, run: DoneRun, parts: readonly ResultPart[]): JsonText | JsonStream {
  return runResult(call.services.pool, run, parts, presentationOf(call, call.context.locale));
}

/** The whole result of a run whose result may be kept. */
export function keptRunResult(call: RunCall, run: DoneRun): JsonText | JsonStream {
  return resultWith(call, run, RUN_KINDS[run.kind].kept?.parts ?? []);
}

/** The result that the caller keeps, by kind and id. */
export interface Kept {
  readonly kind: KeptKind;
  readonly id: number;
}

/** The path of a kept run, its kind in words, and the run that a path names. */
export function keptPath(kind: KeptKind) {
  const { path, name } = RUN_KINDS[kind].kept;
  const idName = `${kind}_id`;
  return {
    path: `${path}/{${idName}}`,
    name,
    pathSchema: z.object({ [idName]: idField }),
    keptOf: (path: Readonly<Record<string, number>>) => ({ kind, id: path[idName] }),
  };
}

export async function ownKept({ services, caller }: AccountCall, { kind, id }: Kept): Promise<KeptRun> {
  return found(await selectKeptRun(services.pool, { kind, userId: caller.account.userId, id }));
}

export type ShowKept = (...kept: Parameters<typeof savedResult>) => ReturnType<typeof savedResult>;

export async function keptResult(
  call: AccountCall,
  kept: Kept,
  parts: readonly ResultPart[],
  locale: Locale,
  show: ShowKept = savedResult,
): Promise<JsonText | JsonStream> {
  return show(call.services.storage, await ownKept(call, kept), parts, presentationOf(call, locale));
}

/** A page of the rebalances of a kept rotation, as they are stored. */
export async function keptRebalances(
  call: AccountCall,
  id: number,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ total: number; page: number; size: number; items: Record<string, unknown>[] }> {
  const saved = await ownKept(call, { kind: 'portfolio', id });
  const items: Record<string, unknown>[] = [];
  const first = (page - 1) * size;
  let total = 0;
  for await (const rows of rowsOf(await openPart(call.services.storage, saved, 'rebalances'))) {
    items.push(...rows.slice(Math.max(0, first - total), Math.max(0, first + size - total)));
    total += rows.length;
  }
  return { total, page, size, items };
}

/** Deletes the row at once, and queues a job that deletes the objects. */
export async function removeKept(
  { services, context, caller }: AccountCall,
  { kind, id }: Kept,
): Promise<{ deleted: true }> {
  const { pool, boss } = services;
  const { userId } = caller.account;
  await transaction(pool, async (connection) => {
    found(await deleteKeptRun(connection, { kind, userId, id }));
    const removal = { prefix: backtestPrefix(userId, id), requestId: context.requestId };
    await enqueueRemoval(connection, boss, removal);
  });
  return { deleted: true };
}

const SLUG_BYTES = 9;

/** The end of a link that nobody can guess. */
export const newSlug = () => randomBytes(SLUG_BYTES).toString('base64url');

/** Shares a kept run by a link that anybody may open, or revokes the link. */
export async function shareKept(
  { services, caller }: AccountCall,
  { kind, id }: Kept,
  isShared: boolean,
): Promise<z.input<typeof sharingSchema>> {
  const { pool, publicApiBase } = services;
  const saved = found(
    await updateSharing(pool, { kind, userId: caller.account.userId, id }, { isShared, newSlug: newSlug() }),
  );
  const { slug } = saved;
  return {
    slug,
    shared: saved.isShared,
    url: saved.isShared ? `${publicApiBase}${RUN_KINDS[kind].kept.page}/${slug}` : null,
    api_url: saved.isShared ? `${publicApiBase}/api/${kind}/shared/${slug}` : null,
  };
}

/** The result behind a link. */
export async function sharedResult(
  call: RunCall,
  shared: { readonly kind: KeptKind; readonly slug: string },
  locale: Locale,
  show: ShowKept = savedResult,
): Promise<JsonText | JsonStream> {
  const { pool, storage } = call.services;
  const saved = found(await selectSharedRun(pool, shared));
  return show(storage, saved, RUN_KINDS[shared.kind].kept.parts, presentationOf(call, locale), true);
}
