/** Failures of a bucket that callers must tell apart: it has no room, or it does not answer. */
import { S3ServiceException } from '@aws-sdk/client-s3';
import { codeOf, stringProperty } from '../engine/util/thrown.ts';
import { StorageAway, StorageFull } from './storage.ts';

/** Error names of S3-compatible servers for a full disk or an exhausted quota; S3 itself has neither. */
const FULL = /(QuotaExceeded|StorageFull|InsufficientStorage)$/;
const NETWORK = /^(ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/;

/** The error of a call, after its last try, as callers of the storage get it. */
export function storageError(thrown: unknown): unknown {
  if (!(thrown instanceof S3ServiceException)) {
    const isAway = stringProperty(thrown, 'name') === 'TimeoutError' || NETWORK.test(codeOf(thrown) ?? '');
    return isAway ? new StorageAway(thrown) : thrown;
  }
  const status = thrown.$metadata.httpStatusCode ?? 0;
  if (FULL.test(thrown.name) || status === 507) return new StorageFull({ cause: thrown });
  return status >= 500 ? new StorageAway(thrown) : thrown;
}
