import { describe, expect, it } from '@jest/globals';
import type { RecentSync } from '../../../db/queue/sync-jobs.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { dueSyncs, type SyncState } from '../../../jobs/sync/due-syncs.ts';

const day = requireDay;
const ranges = [
  { venueBasis: 'consolidated' as const, firstSession: day('2024-07-01'), newestSession: day('2024-07-12') },
  { venueBasis: 'primary_session' as const, firstSession: day('2024-06-03'), newestSession: day('2024-06-28') },
];
const all = (from: string, to: string) => new Set(sessionsBetween(day(from), day(to)));
const state = (more: Partial<SyncState>): SyncState => ({
  ranges,
  loaded: new Map(),
  symbolsThrough: day('2024-07-12'),
  adjustmentsThrough: day('2024-07-12'),
  recent: [],
  folder: null,
  ...more,
});
const recent = (
  jobType: RecentSync['jobType'],
  status: RecentSync['status'],
  venueBasis: string | null = null,
  more: Partial<RecentSync> = {},
): RecentSync => ({
  jobType,
  status,
  venueBasis,
  start: null,
  end: null,
  failedSinceS: status === 'failed' ? 10 : null,
  failures: status === 'failed' ? 1 : 0,
  ...more,
});
const kinds = (s: SyncState) =>
  dueSyncs(s).map(({ jobType, spec }) => [jobType, spec.venue_mode, spec.start, spec.end].filter(Boolean).join(' '));

describe('due sync jobs', () => {
  it('are none while the provider has published nothing', () => {
    expect(kinds(state({ ranges: [] }))).toEqual([]);
  });

  it('are first only the symbols', () => {
    expect(kinds(state({ symbolsThrough: null, adjustmentsThrough: null }))).toEqual(['symbols']);
    expect(kinds(state({ symbolsThrough: day('2024-07-11') }))).toEqual(['symbols']);
    expect(kinds(state({ symbolsThrough: null, recent: [recent('symbols', 'running')] }))).toEqual([]);
    expect(kinds(state({ symbolsThrough: null, recent: [recent('symbols', 'failed')] }))).toEqual([]);
  });

  it('are then the adjustments, for which bars wait unless they have failed', () => {
    expect(kinds(state({ adjustmentsThrough: null }))).toEqual(['adjustments']);
    expect(kinds(state({ adjustmentsThrough: null, recent: [recent('adjustments', 'running')] }))).toEqual([]);
    expect(kinds(state({ adjustmentsThrough: null, recent: [recent('adjustments', 'failed')] }))).toHaveLength(2);
  });

  it('load all published sessions at first', () => {
    expect(kinds(state({}))).toEqual([
      'daily_bars consolidated 2024-07-01 2024-07-12',
      'daily_bars primary_session 2024-06-03 2024-06-28',
    ]);
  });

  it('load the oldest consecutive missing sessions of each venue basis', () => {
    const consolidated = all('2024-07-01', '2024-07-12');
    for (const missing of ['2024-07-03', '2024-07-05', '2024-07-11']) consolidated.delete(day(missing));
    const loaded = new Map([
      ['consolidated', consolidated],
      ['primary_session', all('2024-06-03', '2024-06-28')],
    ] as const);
    expect(kinds(state({ loaded }))).toEqual(['daily_bars consolidated 2024-07-03 2024-07-05']);
    expect(kinds(state({ loaded, recent: [recent('daily_bars', 'running', 'consolidated')] }))).toEqual([]);
    expect(kinds(state({ loaded, recent: [recent('daily_bars', 'running', 'primary_session')] }))).toHaveLength(1);
  });

  it('load everything except the sessions of a load that has failed recently', () => {
    const loaded = new Map([
      ['consolidated', new Set([...all('2024-07-01', '2024-07-02'), ...all('2024-07-05', '2024-07-11')])],
      ['primary_session', all('2024-06-03', '2024-06-28')],
    ] as const);
    const failed = { start: '2024-07-03', end: '2024-07-03' };
    const lately = recent('daily_bars', 'failed', 'consolidated', failed);
    expect(kinds(state({ loaded, recent: [lately] }))).toEqual(['daily_bars consolidated 2024-07-12 2024-07-12']);
    const nextToIt = recent('daily_bars', 'failed', 'consolidated', { start: '2024-07-12', end: '2024-07-12' });
    expect(kinds(state({ loaded, recent: [lately, nextToIt] }))).toEqual([]);
    const elsewhere = recent('daily_bars', 'failed', 'primary_session', failed);
    expect(kinds(state({ loaded, recent: [elsewhere] }))).toEqual(['daily_bars consolidated 2024-07-03 2024-07-03']);
  });

  it('repeat a load that keeps failing after 15 minutes, then 30, then an hour, and at least every 6 hours', () => {
    const dueAfter = (failures: number, minutes: number) => {
      const failed = { start: '2024-07-01', end: '2024-07-12', failures, failedSinceS: minutes * 60 };
      return kinds(state({ ranges: [ranges[0]], recent: [recent('daily_bars', 'failed', 'consolidated', failed)] }))
        .length;
    };
    const waits = [
      [1, 15],
      [2, 30],
      [3, 60],
      [5, 240],
      [6, 360],
      [20, 360],
    ];
    expect(waits.map(([failures, minutes]) => [dueAfter(failures, minutes - 1), dueAfter(failures, minutes)])).toEqual(
      waits.map(() => [0, 1]),
    );
  });

  it('are none when everything is loaded', () => {
    const loaded = new Map([
      ['consolidated', all('2024-07-01', '2024-07-12')],
      ['primary_session', all('2024-06-03', '2024-06-28')],
    ] as const);
    expect(kinds(state({ loaded }))).toEqual([]);
  });
});
