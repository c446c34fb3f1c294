/** Errors that name the invalid fields of a request. */
import type { z } from 'zod';
import { type ErrorCode, type ErrorDetails, isErrorCode, ServiceError } from '../../../engine/util/errors.ts';
import { MAX_PROBLEMS, type Problem, problemsOf } from './problems.ts';

/** One problem of a request. Its text is made for the answer, in the caller's language. */
export interface ValidationProblem {
  readonly loc: readonly (string | number)[];
  readonly type: string;
  readonly problem: Problem;
  /** Where in the text of a rule. */
  readonly place?: Place;
}

/** A place in a text, in UTF-16 code units, with the text found there and what is expected. */
export interface Place {
  /** Included. */
  readonly from: number;
  /** Excluded. */
  readonly to: number;
  readonly found: string;
  /** Signs and names, and the kinds `number`, `name`, `$parameter`, `ticker`, and `end`. */
  readonly expected: readonly string[];
}

/** An error that names the invalid fields of the request. */
export class RequestFailure extends ServiceError {
  readonly problems: readonly ValidationProblem[];

  constructor(code: ErrorCode, problems: readonly ValidationProblem[], details: ErrorDetails = {}) {
    super(code, details);
    this.problems = problems.slice(0, MAX_PROBLEMS);
  }
}

/** A request that does not match its declared schema. */
export class ValidationFailure extends RequestFailure {
  constructor(problems: readonly ValidationProblem[]) {
    super('validation_failed', problems);
  }
}

/** Refuses a field of a request that its schema allows. */
export function refuse(loc: ValidationProblem['loc'], problem: Problem): never {
  throw new ValidationFailure([{ loc, type: 'parameter', problem }]);
}

/**
 * The error of a failed parse. A value that is well-formed but unknown (`period=hour`) has its own error code, which is
 * answered only if nothing violates the schema.
 */
export function parseFailure(
  error: z.ZodError,
  part: 'path' | 'query' | 'body',
  schema: z.ZodType,
  alsoKnown: readonly string[] = [],
): ServiceError {
  const schemaIssues = error.issues.filter((issue) => refusalOf(issue) === null);
  const refusal = refusalOf(error.issues[0]);
  if (schemaIssues.length === 0 && refusal) return new ServiceError(refusal.code, refusal.details);
  return new ValidationFailure(
    schemaIssues.slice(0, MAX_PROBLEMS).flatMap((issue) =>
      problemsOf(issue, schema, alsoKnown).map(({ path, type, problem }) => ({
        loc: [part, ...path],
        type,
        problem,
      })),
    ),
  );
}

/** The error code and details with which a field refuses a well-formed value. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
}

/** The refusal in the issue of a field; null for any other issue. */
export function refusalOf(issue: z.core.$ZodIssue): Refusal | null {
  return issue.code === 'custom' && isRefusal(issue.params?.refusal) ? issue.params.refusal : null;
}

function isRefusal(value: unknown): value is Refusal {
  if (typeof value !== 'object' || value === null) return false;
  return 'code' in value && isErrorCode(value.code) && 'details' in value && typeof value.details === 'object';
}
