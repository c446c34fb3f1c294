/** Whether an object storage can be used, said soon: the client of a bucket that does not answer tries for a minute and a half. */
import { once } from 'node:events';
import { toError } from '../engine/util/errors.ts';
import type { ObjectStorage } from './storage.ts';

const TIMEOUT_MS = 4_000;

/** Why the storage cannot be used; null: it can. Resolves within four seconds. */
export async function storageFault(storage: ObjectStorage): Promise<string | null> {
  const late = once(AbortSignal.timeout(TIMEOUT_MS), 'abort').then(() => `no answer within ${TIMEOUT_MS / 1_000} s`);
  const checked = storage.check().then(
    () => null,
    (error) => toError(error).message,
  );
  return Promise.race([checked, late]);
}
