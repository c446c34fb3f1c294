/** Errors that name the fields of a request that they come from. */
import type { z } from 'zod';
import { type ErrorCode, type ErrorDetails, ServiceError } from '../../../engine/errors.ts';
import { MAX_PROBLEMS, type Problem, problemsOf } from './problems.ts';

/** One fault of a request; its text is written when it is answered, in the language of the caller. */
export interface ValidationProblem {
  readonly loc: readonly (string | number)[];
  readonly type: string;
  readonly problem: Problem;
}

/** An error that names the fields of the request that it comes from. */
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

/**
 * The error of a failed parse. A field that only its market meaning refuses (`period=hour`) carries its own code and is
 * told as such; anything that breaks the declared schema is told first.
 */
export function parseFailure(
  error: z.ZodError,
  part: 'path' | 'query' | 'body',
  schema: z.ZodType,
  alsoKnown: readonly string[] = [],
): ServiceError {
  const schemaIssues = error.issues.filter((issue) => !domainCodeOf(issue));
  if (schemaIssues.length === 0) {
    const [issue] = error.issues;
    const { code, details } = domainCodeOf(issue) as { code: ErrorCode; details: ErrorDetails };
    return new ServiceError(code, details);
  }
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

function domainCodeOf(issue: z.core.$ZodIssue): { code: ErrorCode; details: ErrorDetails } | null {
  if (issue.code !== 'custom' || !issue.params?.errorCode) return null;
  return { code: issue.params.errorCode as ErrorCode, details: (issue.params.details ?? {}) as ErrorDetails };
}
