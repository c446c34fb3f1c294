/** Brings everything that can be thrown to an error of the catalogue. */
import { z } from 'zod';
import { isAccountGone, isDatabaseAway, isUnstorableText } from '../../../db/errors.ts';
import { type ErrorCode, ServiceError } from '../../../engine/util/errors.ts';
import { isOutOfSpace } from '../../../jobs/contracts/job-context.ts';
import { ProviderError } from '../../../jobs/providers/provider.ts';

/** The errors of Express and its body parser. */
const httpErrorSchema = z.object({
  type: z.string().optional(),
  status: z.number().optional(),
  /** Bytes. */
  limit: z.number().optional(),
});

/** By the type name of the error. */
const HTTP_ERROR_CODES: Readonly<Record<string, ErrorCode>> = {
  'entity.parse.failed': 'body_not_json',
  'encoding.unsupported': 'unsupported_media_type',
  'charset.unsupported': 'unsupported_media_type',
  'request.aborted': 'invalid_request',
  'request.size.invalid': 'invalid_request',
};

export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isDatabaseAway(error)) return new ServiceError('unavailable', {}, { cause: error });
  if (isAccountGone(error)) return new ServiceError('invalid_credential', {}, { cause: error });
  if (isOutOfSpace(error)) return new ServiceError('storage_full', {}, { cause: error });
  if (isUnstorableText(error)) return new ServiceError('invalid_request', {}, { cause: error });
  if (error instanceof ProviderError) return new ServiceError('upstream_unavailable', {}, { cause: error });
  const { type, status, limit } = httpErrorSchema.safeParse(error).data ?? {};
  if (type === 'entity.too.large') return new ServiceError('body_too_large', { max: `${Number(limit) / 1024} KiB` });
  if (type && HTTP_ERROR_CODES[type]) return new ServiceError(HTTP_ERROR_CODES[type]);
  if (status !== undefined && status >= 400 && status < 500) return new ServiceError('invalid_request');
  return new ServiceError('internal', {}, { cause: error });
}
