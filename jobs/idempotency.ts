/** How long and how much of the answers to calls with an idempotency key is kept. */
export const ANSWERS_KEPT_MS = 24 * 3_600_000;
/** Per account, compressed; beyond it the oldest answers are given up first. */
export const ANSWERS_KEPT_BYTES = 256 * 1024 * 1024;
