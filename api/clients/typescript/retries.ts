/** Whether and when a call is sent again: pure functions, without a clock or random numbers. */

/**
 * The outcome of one try: a status, or a connection that broke (or, if `isUnsent`, was never made). `isUnreachable`: nothing has ever
 * answered at the address, so that it is rather wrong than a service that restarts.
 */
export type Outcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly key: string | null;
      readonly retryAfter: number | null;
    }
  | { readonly kind: 'lost'; readonly isUnsent: boolean; readonly isUnreachable?: boolean };

export interface RetryPolicy {
  /** Tries after the first one. */
  readonly maxRetries: number;
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
}

export const RETRIES: RetryPolicy = { maxRetries: 8, firstWaitMs: 250, maxWaitMs: 10_000 };

/** An earlier try of the call is still in progress, or its process died and the key stays claimed for half a minute. */
const IN_PROGRESS = 'error.idempotency_in_progress';
const IN_PROGRESS_WAIT_MS = 2_000;
const TRANSIENT: ReadonlySet<number> = new Set([502, 503, 504]);
const MS_PER_S = 1_000;
/** The random part of a wait that the service named, which spreads callers that were refused at the same time. */
const SPREAD = 0.1;

/**
 * Milliseconds to wait before the call is sent again; null: it is not.
 * @param tries tries so far, 1 after the first.
 * @param isRepeatable whether the call does the same once or twice: a read, or one with an idempotency key. Others are
 *   sent again only when the service cannot have begun them.
 * @param random uniform in [0, 1).
 */
export function waitBeforeRetry(
  outcome: Outcome,
  tries: number,
  isRepeatable: boolean,
  random: number,
  { maxRetries, firstWaitMs, maxWaitMs }: RetryPolicy = RETRIES,
): number | null {
  if (!canPass(outcome, isRepeatable)) return null;
  const isInProgress = outcome.kind === 'answer' && outcome.key === IN_PROGRESS;
  if (tries > maxRetries && !isInProgress) return null;
  const longest = isInProgress ? IN_PROGRESS_WAIT_MS : maxWaitMs;
  const backoff = Math.min(longest, firstWaitMs * 2 ** (tries - 1));
  const named = outcome.kind === 'answer' && outcome.retryAfter !== null ? outcome.retryAfter * MS_PER_S : null;
  if (named === null) return backoff * (0.5 + random / 2);
  return named + random * Math.max(firstWaitMs, named * SPREAD);
}

function canPass(outcome: Outcome, isRepeatable: boolean): boolean {
  if (outcome.kind === 'lost') return !outcome.isUnreachable && (isRepeatable || outcome.isUnsent);
  // Refused before anything was done.
  if (outcome.status === 429) return true;
  if (!isRepeatable) return false;
  return TRANSIENT.has(outcome.status) || outcome.key === IN_PROGRESS;
}
