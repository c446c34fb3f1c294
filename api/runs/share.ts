/** Links to kept runs, which anybody may open. */
import { randomBytes } from 'node:crypto';
import { type KeptKind, selectSharedBacktest, updateSharing } from '../../db/runs/kept-runs.ts';
import { found } from '../../engine/util/errors.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import type { JsonStream, JsonText } from '../http/answer/reply.ts';
import type { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import type { Kept } from './keep.ts';
import type { sharingSchema } from './schemas.ts';
import type { AccountCall, RunCall } from './services.ts';
import { savedResult, showingOf } from './view.ts';

const SLUG_BYTES = 9;

export async function shareKept(
  { services, caller }: AccountCall,
  { kind, id }: Kept,
  isShared: boolean,
): Promise<z.input<typeof sharingSchema>> {
  const { pool, publicApiBase } = services;
  const newSlug = randomBytes(SLUG_BYTES).toString('base64url');
  const saved = found(await updateSharing(pool, { kind, userId: caller.account.userId, id }, { isShared, newSlug }));
  const { slug } = saved;
  return {
    slug,
    shared: saved.isShared,
    url: saved.isShared ? `${publicApiBase}${RUN_KINDS[kind].kept.page}/${slug}` : null,
    api_url: saved.isShared ? `${publicApiBase}/api/${kind}/shared/${slug}` : null,
  };
}

export async function sharedResult(
  call: RunCall,
  shared: { readonly kind: KeptKind; readonly slug: string },
  locale: Locale,
): Promise<JsonText | JsonStream> {
  const { pool, storage } = call.services;
  const saved = found(await selectSharedBacktest(pool, shared));
  return savedResult(storage, saved, RUN_KINDS[shared.kind].kept.parts, showingOf(call, locale), true);
}
