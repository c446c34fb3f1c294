import { describe, expect, it } from '@jest/globals';
import type { QueueName } from '../../../jobs/contracts/queues.ts';
import { mayStartExtra, PART_MS, RoundRobin } from '../../../jobs/queue/round-robin.ts';

const NOW = 10_000;
const LONG = NOW - PART_MS;

describe('a full lane', () => {
  const mayStart = (since: readonly number[], slots: number, queue: QueueName = 'portfolio', gibibytes = 2) =>
    mayStartExtra(queue, { since, slots, now: NOW, availableBytes: gibibytes * 2 ** 30 });

  it('lets an extra job start when one has run for a second', () => {
    expect(mayStart([LONG], 1)).toBe(true);
    expect(mayStart([LONG + 1], 1)).toBe(false);
    expect(mayStart([LONG, NOW], 1)).toBe(false);
    expect(mayStart([LONG, NOW], 2)).toBe(true);
  });

  it('has as many extra jobs as memory allows, and besides them those of one instrument; none if it has no slots', () => {
    const running = (count: number) => new Array<number>(count).fill(LONG);
    expect([17, 18].map((count) => mayStart(running(count), 2))).toEqual([true, false]);
    expect([5, 6].map((count) => mayStart(running(count), 2, 'portfolio', 0.9))).toEqual([true, false]);
    expect([19, 20].map((count) => mayStart(running(count), 2, 'backtest'))).toEqual([true, false]);
    expect([7, 8].map((count) => mayStart(running(count), 2, 'backtest', 0.9))).toEqual([true, false]);
    expect(mayStart([], 0)).toBe(false);
  });
});

describe('a queue from which jobs of some accounts were not taken', () => {
  it('is fetched from again when a slot becomes free, and not before', () => {
    const roundRobin = new RoundRobin();
    roundRobin.wake(['optimize']);
    const turn = { queue: 'optimize', batchSize: 1 } as const;
    expect(roundRobin.next(() => 1)).toEqual(turn);
    roundRobin.took(turn, 0, true);
    expect(roundRobin.isIdle).toBe(true);
    roundRobin.wakeUnfinished('compute');
    expect(roundRobin.next(() => 1)).toEqual(turn);
    roundRobin.took(turn, 0, false);
    roundRobin.wakeUnfinished('compute');
    expect(roundRobin.isIdle).toBe(true);
  });
});
