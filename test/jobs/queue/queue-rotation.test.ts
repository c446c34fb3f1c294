import { describe, expect, it } from '@jest/globals';
import { mayRunBeside, PART_MS, QueueRotation } from '../../../jobs/queue/queue-rotation.ts';

const NOW = 10_000;
const LONG = NOW - PART_MS;

describe('a full lane', () => {
  it('lets a job begin beside one that has run for a second', () => {
    expect(mayRunBeside([LONG], 1, NOW)).toBe(true);
    expect(mayRunBeside([LONG + 1], 1, NOW)).toBe(false);
    expect(mayRunBeside([LONG, NOW], 1, NOW)).toBe(false);
    expect(mayRunBeside([LONG, NOW], 2, NOW)).toBe(true);
  });

  it('has no more than four jobs beside its slots, and none where it has no slots', () => {
    const running = (count: number) => new Array<number>(count).fill(LONG);
    expect(mayRunBeside(running(5), 2, NOW)).toBe(true);
    expect(mayRunBeside(running(6), 2, NOW)).toBe(false);
    expect(mayRunBeside([], 0, NOW)).toBe(false);
  });
});

describe('a queue from which jobs of some accounts were not taken', () => {
  it('is tried again when a slot becomes free, and not before', () => {
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
