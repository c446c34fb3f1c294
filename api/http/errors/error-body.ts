import type { ServiceError } from '../../../engine/util/errors.ts';
import { problemText } from '../input/problems.ts';
import { RequestFailure } from '../input/request-failure.ts';
import type { Locale } from '../language/locale.ts';
import { type ErrorView, errorView } from './catalogue.ts';
import { EXPECTED_TEXTS } from './rule-problem-texts.ts';

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
