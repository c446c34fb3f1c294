/** The error of a run that ended without a result. */
import { z } from 'zod';
import type { Run } from '../../db/backtests/backtest-runs.ts';
import { isErrorCode, ServiceError } from '../../engine/errors.ts';
import { type ErrorView, errorView } from '../http/errors/catalogue.ts';
import type { Locale } from '../http/language/locale.ts';

const detailsSchema = z.record(z.string(), z.union([z.string(), z.number()]));

/** Null for a run that waits, runs, or is done. */
export function runFailure({ status, errorCode, errorDetails }: Run): ServiceError | null {
  if (status === 'cancelled') return new ServiceError('backtest_cancelled');
  if (status !== 'failed') return null;
  const code = isErrorCode(errorCode) ? errorCode : 'internal';
  return new ServiceError(code, detailsSchema.safeParse(errorDetails).data);
}

export function runError(run: Run, locale: Locale): ErrorView | null {
  const failure = runFailure(run);
  return failure && errorView(failure.code, failure.details, locale);
}
