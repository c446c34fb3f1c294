/** When the clients repeat a call. */
import { expect, it } from '@jest/globals';
import { type Outcome, waitBeforeRetry } from '../../../api/clients/typescript/transport.ts';

const answer = (status: number, retryAfter: number | null = null, key: string | null = null): Outcome => ({
  kind: 'answer',
  status,
  key,
  retryAfter,
});
const waits = (outcome: Outcome, isRepeatable: boolean, random = 0, tries = 1) =>
  waitBeforeRetry(outcome, tries, isRepeatable, random);

it('repeats a call if that is safe, and not if it may have had an effect', () => {
  const lost: Outcome = { kind: 'lost', isUnsent: false };
  const unsent: Outcome = { kind: 'lost', isUnsent: true };
  const inProgress = answer(409, null, 'error.idempotency_in_progress');
  const rows = [answer(429), answer(502), answer(503), lost, unsent, inProgress, answer(500), answer(404), answer(409)];
  expect(rows.map((outcome) => waits(outcome, true) !== null)).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(rows.map((outcome) => waits(outcome, false) !== null)).toEqual([
    true,
    false,
    false,
    false,
    true,
    false,
    false,
    false,
    false,
  ]);
});

it('waits as long as the service says, with a random spread; otherwise twice as long each time, up to ten seconds', () => {
  expect([0, 0.999].map((random) => waits(answer(429, 30), true, random))).toEqual([30_000, 30_000 + 0.999 * 3_000]);
  expect([1, 2, 3, 8].map((tries) => waits(answer(503), true, 0, tries))).toEqual([125, 250, 500, 5_000]);
  expect(waits(answer(503), true, 0.999, 8)).toBeLessThanOrEqual(10_000);
  expect(waits(answer(503), true, 0, 9)).toBeNull();
});

it('repeats a call that is in progress until the timeout', () => {
  const wait = waits(answer(409, null, 'error.idempotency_in_progress'), true, 0.999, 40);
  expect(wait).toBeGreaterThan(1_000);
  expect(wait).toBeLessThanOrEqual(2_000);
});
