import { describe, expect, it } from '@jest/globals';
import { mayRunBeside, nextToBegin, PART_MS } from '../../jobs/queue/turns.ts';

const NOW = 10_000;
const job = (account: string, since: number | null = null, priority = 0) => ({ account, since, priority });
const next = (jobs: ReturnType<typeof job>[], given: { slots?: number; isShared?: boolean; last?: string } = {}) =>
  nextToBegin(jobs, { slots: 1, isShared: true, last: undefined, now: NOW, ...given });

describe('a free slot', () => {
  it('goes to the account with the fewest running jobs, then by priority, then first come', () => {
    const [one, two, three] = [job('a', null, 5), job('b', null, 1), job('c', null, 1)];
    expect(next([job('a', NOW), one, two, three], { slots: 2 })).toBe(two);
    expect(next([one, two, three])).toBe(one);
    expect(next([one, two, three], { last: 'a' })).toBe(two);
    expect(next([one], { last: 'a' })).toBe(one);
    expect(next([])).toBeNull();
  });
});

describe('a full lane', () => {
  const long = NOW - PART_MS;

  it('lets another account begin beside a job that has run for a second, and the same one never', () => {
    const [same, other] = [job('a'), job('b')];
    expect(next([job('a', long), same, other])).toBe(other);
    expect(next([job('a', long), same])).toBeNull();
    expect(next([job('a', long + 1), other])).toBeNull();
    expect(next([job('a', long), job('c', NOW), other])).toBeNull();
    expect(next([job('a', long), other], { isShared: false })).toBeNull();
  });

  it('has no more than four jobs beside its slots, and none where it has no slots', () => {
    const running = (count: number) => Array.from({ length: count }, (_, i) => job(`${i}`, long));
    expect(mayRunBeside(running(5), 2, NOW)).toBe(true);
    expect(mayRunBeside(running(6), 2, NOW)).toBe(false);
    expect(mayRunBeside([], 0, NOW)).toBe(false);
  });
});
