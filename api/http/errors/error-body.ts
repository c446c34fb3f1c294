import type { ServiceError } from '../../../engine/errors.ts';
import { problemText } from '../input/problems.ts';
import { RequestFailure } from '../input/request-failure.ts';
import type { Locale } from '../language/locale.ts';
import { type ErrorView, errorView } from './catalogue.ts';

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

function fieldErrors({ problems }: RequestFailure, locale: Locale): FieldError[] {
  return problems.map(({ loc, type, problem }) => ({ loc, msg: problemText(problem, locale), type }));
}
