/** The progress of work, as it is written to its record. */

const REPORT_EVERY_MS = 250;

/** The work is no longer wanted: it was canceled, deleted with its account, or begun again elsewhere. */
export class Unwanted extends Error {
  override readonly name = 'Unwanted';
}

/** Whether to write progress now: a few times a second, and always if `isLast`. */
export function reportPace(): (isLast?: boolean) => boolean {
  let reportedAt = -Infinity;
  return (isLast = false) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS && !isLast) return false;
    reportedAt = performance.now();
    return true;
  };
}
