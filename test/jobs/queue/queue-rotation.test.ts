import { describe, expect, it } from '@jest/globals';
import { mayStartExtra, PART_MS, QueueRotation } from '../../../jobs/queue/queue-rotation.ts';

const NOW = 10_000;
const LONG = NOW - PART_MS;

describe('a full lane', () => {
  it('lets an extra job start when one has run for a second', () => {
    expect(mayStartExtra([LONG], 1, NOW)).toBe(true);
    expect(mayStartExtra([LONG + 1], 1, NOW)).toBe(false);
    expect(mayStartExtra([LONG, NOW], 1, NOW)).toBe(false);
    expect(mayStartExtra([LONG, NOW], 2, NOW)).toBe(true);
  });

  it('has at most four extra jobs, and none if it has no slots', () => {
    const running = (count: number) => new Array<number>(count).fill(LONG);
    expect(mayStartExtra(running(5), 2, NOW)).toBe(true);
    expect(mayStartExtra(running(6), 2, NOW)).toBe(false);
    expect(mayStartExtra([], 0, NOW)).toBe(false);
  });
});

describe('a queue from which jobs of some accounts were not taken', () => {
  it('is fetched from again when a slot becomes free, and not before', () => {
    const rotation = new QueueRotation();
    rotation.wake(['optimize']);
    const turn = { queue: 'optimize', batchSize: 1 } as const;
    expect(rotation.next(() => 1)).toEqual(turn);
    rotation.took(turn, 0, true);
    expect(rotation.isIdle).toBe(true);
    rotation.wakeUnfinished('compute');
    expect(rotation.next(() => 1)).toEqual(turn);
    rotation.took(turn, 0, false);
    rotation.wakeUnfinished('compute');
    expect(rotation.isIdle).toBe(true);
  });
});
