/** Which backups are kept, and when one is due. */
import { expect, it } from '@jest/globals';
import { expiredBackups, lastDueTime } from '../../../jobs/backup/retention.ts';

const backup = (at: string, facts: { isDamaged?: boolean; isProven?: boolean } = {}) => ({
  startedAt: new Date(`${at}:00Z`),
  isDamaged: false,
  isProven: false,
  ...facts,
});
const expired = (backups: readonly ReturnType<typeof backup>[], daily: number, weekly: number) =>
  expiredBackups(backups, { daily, weekly }).map(({ startedAt }) => startedAt.toISOString().slice(0, 16));

it('the newest of each day and of each week is kept, a week beginning on Monday in UTC', () => {
  // 2026-11-30 is a Monday.
  const backups = [
    backup('2026-12-01T09:00'),
    backup('2026-12-01T02:30'),
    backup('2026-11-30T02:30'),
    backup('2026-11-29T23:59'),
    backup('2026-11-28T02:30'),
    backup('2026-11-22T02:30'),
    backup('2026-11-16T02:30'),
    backup('2026-11-15T02:30'),
  ];
  expect(expired(backups, 2, 3)).toEqual([
    '2026-12-01T02:30',
    '2026-11-28T02:30',
    '2026-11-16T02:30',
    '2026-11-15T02:30',
  ]);
});

it('the last sound one and the last one that was restored stay', () => {
  const backups = [
    backup('2026-12-03T02:30', { isDamaged: true }),
    backup('2026-12-02T02:30'),
    backup('2026-12-01T02:30'),
    backup('2026-11-30T02:30', { isProven: true }),
    backup('2026-11-29T02:30', { isDamaged: true }),
    backup('2026-11-28T02:30', { isProven: true }),
  ];
  expect(expired(backups, 1, 0)).toEqual(['2026-12-01T02:30', '2026-11-29T02:30', '2026-11-28T02:30']);
  expect(expired([backup('2026-12-03T02:30', { isDamaged: true })], 1, 0)).toEqual([]);
  expect(expired([], 1, 0)).toEqual([]);
});

it('a backup is due at its time of each day', () => {
  const due = (now: string) => new Date(lastDueTime(Date.parse(now), 150)).toISOString();
  expect(due('2026-11-30T02:29:59Z')).toBe('2026-11-29T02:30:00.000Z');
  expect(due('2026-11-30T02:30:00Z')).toBe('2026-11-30T02:30:00.000Z');
  expect(due('2026-11-30T23:00:00Z')).toBe('2026-11-30T02:30:00.000Z');
});
