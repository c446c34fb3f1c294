/** Ranges of requests. An absent bound is open. */

import { type Day, formatDay } from '../../../engine/market/dates.ts';
import { ServiceError } from '../../../engine/util/errors.ts';

/** Throws when the start is after the end. */
export function assertDayRange({ start, end }: { readonly start?: Day | null; readonly end?: Day | null }): void {
  if (start == null || end == null || start <= end) return;
  throw new ServiceError('invalid_date_range', { start: formatDay(start), end: formatDay(end) });
}

/** Throws when the first moment is after the last. */
export function assertTimeRange(first: Date | undefined, last: Date | undefined): void {
  if (!first || !last || first <= last) return;
  throw new ServiceError('invalid_date_range', { start: first.toISOString(), end: last.toISOString() });
}
