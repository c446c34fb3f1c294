/** Files of accounts on their way from the caller to the storage, bounded by what the plan allows. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ServiceError } from '../../engine/util/errors.ts';
import { type ColumnSpec, fileBounds } from '../../jobs/contracts/columns.ts';
import { packingOf } from '../../jobs/providers/files/open-file.ts';
import { uploadKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { AccountCaller } from '../access/caller.ts';
import { PLANS } from '../access/plans.ts';

const MEBIBYTE = 1024 * 1024;
const NEWLINE = 0x0a;
/** An Arrow stream begins with it. */
const ARROW_STREAM = 0xff;

/** The quotas of lines. */
type UploadQuota = 'column_rows_max' | 'judge_values_max';

interface UploadCall {
  readonly services: { readonly storage: ObjectStorage; readonly now: () => number };
  readonly caller: AccountCaller;
}

/** Stores a body whole, or nothing. Throws where it has more lines or bytes than the plan allows, by the name of the quota. */
export async function storeUpload(
  { services: { storage, now }, caller }: UploadCall,
  body: Readable,
  quota: UploadQuota,
): Promise<Pick<ColumnSpec, 'key' | 'bytes'>> {
  const { plan, account } = caller;
  const key = uploadKey(account.userId, now(), randomUUID());
  const max = PLANS[plan].quotas[quota];
  const bounds = fileBounds(max);
  let refusal: ServiceError | undefined;
  let isText: boolean | undefined;
  async function* bounded(): AsyncGenerator<Buffer> {
    let bytes = 0;
    let lines = 0;
    for await (const given of body.iterator({ destroyOnReturn: false })) {
      const chunk: Buffer = given;
      isText ??= packingOf(chunk) === 'plain' && chunk[0] !== ARROW_STREAM;
      bytes += chunk.length;
      if (isText) lines += newlinesIn(chunk);
      if (lines > bounds.lines) refusal = new ServiceError('quota_exceeded', { plan, quota, max, count: lines });
      if (bytes > bounds.bytes)
        refusal ??= new ServiceError('body_too_large', { max: `${bounds.bytes / MEBIBYTE} MiB` });
      if (refusal) throw refusal;
      yield chunk;
    }
  }
  try {
    return { key, bytes: await storage.put(key, Readable.from(bounded())) };
  } catch (error) {
    // The rest is read, so that the client gets the answer.
    body.resume();
    throw refusal ?? error;
  }
}

function newlinesIn(chunk: Buffer): number {
  let lines = 0;
  for (const byte of chunk) if (byte === NEWLINE) lines++;
  return lines;
}
