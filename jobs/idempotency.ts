/** How long, and how many bytes of, answers to calls with an idempotency key are kept. */
export const ANSWERS_KEPT_MS = 24 * 3_600_000;
/** Per account, compressed; beyond it the oldest answers are dropped first. */
export const ANSWERS_KEPT_BYTES = 256 * 1024 * 1024;
