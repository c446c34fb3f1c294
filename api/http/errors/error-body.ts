/** Turns whatever was thrown into an error of the catalogue, and that into the failure envelope. */
import { z } from 'zod';
import { isAccountGone, isDatabaseUnreachable, isUnstorableText } from '../../../db/errors.ts';
import { type ErrorCode, ServiceError } from '../../../engine/util/errors.ts';
import { isOutOfSpace } from '../../../jobs/contracts/job-context.ts';
import { ProviderError } from '../../../jobs/providers/provider.ts';
import { problemText } from '../input/problems.ts';
import { RequestFailure } from '../input/request-failure.ts';
import type { Locale } from '../language/locale.ts';
import { ERRORS, type ErrorView, errorView } from './catalogue.ts';
import { EXPECTED_TEXTS } from './rule-problem-texts.ts';

/** The errors of Express and its body parser. */
const httpErrorSchema = z.object({
  type: z.string().optional(),
  status: z.number().optional(),
  /** Bytes. */
  limit: z.number().optional(),
});

/** Error codes by the type of the error. */
const HTTP_ERROR_CODES: Readonly<Record<string, ErrorCode>> = {
  'entity.parse.failed': 'body_not_json',
  'encoding.unsupported': 'unsupported_media_type',
  'charset.unsupported': 'unsupported_media_type',
  'request.aborted': 'invalid_request',
  'request.size.invalid': 'invalid_request',
};

export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isDatabaseUnreachable(error)) return new ServiceError('unavailable', {}, { cause: error });
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

/** Whether something has failed. Other errors with a status of 5xx are refusals, such as those of calls before the first load is done. */
export function isFailure({ code, cause }: ServiceError): boolean {
  return ERRORS[code].status >= 500 && (code === 'internal' || cause !== undefined);
}

/** The failure envelope. */
export interface ErrorBody extends ErrorView {
  readonly data: null;
  /** Seconds; 429 only. */
  readonly retry_after?: number;
  readonly detail?: readonly FieldError[];
}

interface FieldError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly position?: { readonly from: number; readonly to: number };
  readonly found?: string;
  readonly expected?: readonly string[];
}

export function errorBody(error: ServiceError, locale: Locale): ErrorBody {
  const detail = error instanceof RequestFailure ? fieldErrors(error, locale) : undefined;
  const details = detail ? { where: detail[0].loc.join('.'), problem: detail[0].msg, ...error.details } : error.details;
  const { seconds } = error.details;
  const { code, key, message } = errorView(error.code, details, locale);
  return {
    code,
    message,
    data: null,
    key,
    retry_after: code === 429 && typeof seconds === 'number' ? seconds : undefined,
    detail,
  };
}

export function fieldErrors({ problems }: RequestFailure, locale: Locale): FieldError[] {
  return problems.map(({ loc, type, problem, place }) => {
    if (place === undefined) return { loc, msg: problemText(problem, locale), type };
    const { from, to, found, expected } = place;
    const details = { ...problem.details, expected: expectedText(expected, locale) };
    const msg = problemText({ code: problem.code, details }, locale);
    return { loc, msg, type, position: { from, to }, found, expected };
  });
}

function expectedText(expected: readonly string[], locale: Locale): string {
  return expected.map((word) => EXPECTED_TEXTS[word]?.[locale] ?? word).join(locale === 'en' ? ', ' : '、');
}
