import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { type Day, dayOf, formatDay, requireDay } from '../../../engine/market/dates.ts';
import { gapsOf } from '../../../engine/market/history-gaps.ts';
import { MAX_RANGES, type MissingSessions, SessionLedger } from '../../../engine/market/session-ledger.ts';

const day = requireDay;
const range = (start: string, end: string) => ({ start: day(start), end: day(end) });
const text = ({ count, ranges }: MissingSessions) =>
  [count, ...ranges.map(({ start, end }) => `${formatDay(start)}..${formatDay(end)}`)].join(' ');

const PRIMARY = sessionsBetween(day('2024-06-03'), day('2024-06-28'));
const CONSOLIDATED = sessionsBetween(day('2024-07-01'), day('2024-07-31'));
const without = (days: readonly Day[], ...gone: string[]) => days.filter((d) => !gone.includes(formatDay(d)));
const primary = { published: range('2024-06-03', '2024-06-28'), complete: PRIMARY };
const consolidated = { published: range('2024-07-01', '2024-07-31'), complete: CONSOLIDATED };

describe('missing sessions', () => {
  it('are published and not loaded, in runs that cross weekends, holidays, and venue bases', () => {
    const ledger = SessionLedger.spliced(
      { ...primary, complete: without(PRIMARY, '2024-06-10', '2024-06-28') },
      { ...consolidated, complete: without(CONSOLIDATED, '2024-07-01', '2024-07-03', '2024-07-05', '2024-07-31') },
    );
    expect(text(ledger.missingBetween(day('2024-01-01'), day('2025-01-01')))).toBe(
      '6 2024-06-10..2024-06-10 2024-06-28..2024-07-01 2024-07-03..2024-07-05 2024-07-31..2024-07-31',
    );
    expect(text(ledger.missingBetween(day('2024-07-01'), day('2024-07-04')))).toBe(
      '2 2024-07-01..2024-07-01 2024-07-03..2024-07-03',
    );
    expect(ledger.missingBetween(day('2024-07-08'), day('2024-07-30'))).toEqual({ count: 0, ranges: [] });
  });

  it('count each day on the venue basis that is served on it', () => {
    const early = { published: range('2024-06-24', '2024-07-31'), complete: CONSOLIDATED };
    const late = { published: range('2024-06-03', '2024-07-05'), complete: PRIMARY };
    expect(SessionLedger.spliced(late, early).isComplete).toBe(true);
    const all = [...PRIMARY, ...CONSOLIDATED];
    const both = SessionLedger.spliced({ ...late, complete: all }, { ...early, complete: all });
    expect(both.compare(Int32Array.from(without(all, '2024-06-12', '2024-07-10')))).toEqual({
      sessions: all.length,
      withoutBar: 2,
    });
    expect(text(SessionLedger.ofVenueBasis(early).missingBetween(day('2024-01-01'), day('2025-01-01')))).toBe(
      '5 2024-06-24..2024-06-28',
    );
  });

  it('exist neither outside of the published sessions nor between two venue bases', () => {
    const later = { published: range('2024-07-15', '2024-07-31'), complete: CONSOLIDATED.filter((d) => d > 19900) };
    const ledger = SessionLedger.spliced({ published: null, complete: [] }, later);
    expect(ledger.missingBetween(day('1990-01-01'), day('2024-07-12'))).toEqual({ count: 0, ranges: [] });
  });

  it('agree with counting them one by one, and have at most ten ranges', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(CONSOLIDATED.length - 1)), fc.nat(40), fc.nat(40), (gone, from, length) => {
        const start = day('2024-06-25') + from;
        const end = start + length;
        const complete = CONSOLIDATED.filter((_, i) => !gone.includes(i));
        const found = SessionLedger.ofVenueBasis({ ...consolidated, complete }).missingBetween(start, end);
        const missing = CONSOLIDATED.filter((d) => !complete.includes(d) && d >= start && d <= end);
        expect(found.count).toBe(missing.length);
        const reported = found.ranges.flatMap((r) => sessionsBetween(r.start, r.end));
        expect(reported).toEqual(found.ranges.length < MAX_RANGES ? missing : missing.slice(0, reported.length));
      }),
    );
    const everySecond = CONSOLIDATED.filter((_, i) => i % 2 === 0);
    const many = SessionLedger.ofVenueBasis({ ...consolidated, complete: everySecond }).missingBetween(0, 99_999);
    expect([many.count, many.ranges.length]).toEqual([11, 10]);
  });
});

describe('the gaps of a range', () => {
  const ALL = [...PRIMARY, ...CONSOLIDATED];
  const lifetime = { listedOn: null, delistedOn: null };
  const gaps = (
    options: { gone?: string[]; bars?: readonly Day[]; start?: string; end?: string } & Partial<
      Parameters<typeof gapsOf>[0]['lifetime']
    >,
    reasons: Parameters<typeof gapsOf>[0]['reasons'] = [],
  ) => {
    const { gone = [], bars = without(ALL, ...gone), start, end, ...life } = options;
    const ledger = SessionLedger.spliced(
      { ...primary, complete: without(PRIMARY, ...gone) },
      { ...consolidated, complete: without(CONSOLIDATED, ...gone) },
    );
    return gapsOf({
      ledger,
      days: Int32Array.from(bars),
      start: start ? day(start) : null,
      end: end ? day(end) : null,
      asOf: dayOf(2024, 8, 1),
      lifetime: { ...lifetime, ...life },
      reasons,
    });
  };

  it('do not exist where everything is loaded', () => {
    expect(gaps({})).toEqual({
      reasons: [],
      missingSessions: { count: 0, ranges: [] },
      missingBars: 0,
      missingBarsShare: 0,
    });
  });

  it('have no reason in the middle of the range, and one at its ends', () => {
    const middle = gaps({ gone: ['2024-06-20'], start: '2024-06-10', end: '2024-07-10' });
    expect([text(middle.missingSessions), middle.reasons]).toEqual(['1 2024-06-20..2024-06-20', []]);
    expect(gaps({ gone: ['2024-06-03', '2024-06-04'] }).reasons).toEqual(['not_loaded']);
    expect(gaps({ gone: ['2024-07-31'] }).reasons).toEqual(['not_loaded']);
    expect(gaps({ gone: ['2024-06-03', '2024-07-31'] }).reasons).toEqual(['not_loaded']);
    expect(gaps({ gone: ['2024-06-04', '2024-07-30'] }).reasons).toEqual([]);
    const bars = ALL.filter((d) => d <= day('2024-07-10'));
    expect(gaps({ gone: ['2024-07-11'], bars, end: '2024-07-10' })).toMatchObject({
      reasons: [],
      missingSessions: { count: 0 },
    });
  });

  it('replace the limits of the data as the reason, unless the range passes these, too', () => {
    const gone = ['2024-06-03', '2024-07-31'];
    const asked = (start: string, end: string) =>
      gaps({ gone, start, end }, ['before_data_start', 'after_data_end']).reasons;
    expect(asked('2024-06-01', '2024-07-31')).toEqual(['not_loaded']);
    expect(asked('2024-05-31', '2024-07-31')).toEqual(['before_data_start', 'not_loaded']);
    expect(asked('2024-06-03', '2024-08-01')).toEqual(['after_data_end', 'not_loaded']);
  });

  it('lie within the life of the instrument, where bars outweigh listing days', () => {
    const gone = ['2024-06-03', '2024-06-10', '2024-07-31'];
    const bars = ALL.filter((d) => d > day('2024-06-12') && d < day('2024-07-20'));
    const life = { listedOn: day('2024-06-06'), delistedOn: day('2024-07-25') };
    expect(text(gaps({ gone, bars, ...life }).missingSessions)).toBe('1 2024-06-10..2024-06-10');
    const wrong = { listedOn: day('2024-07-15'), delistedOn: day('2024-06-20') };
    expect(text(gaps({ gone: ['2024-06-14'], bars: without(bars, '2024-06-14'), ...wrong }).missingSessions)).toBe(
      '1 2024-06-14..2024-06-14',
    );
  });

  it('count loaded sessions without a bar between the first and the last bar', () => {
    const some = without(ALL, '2024-06-03', '2024-06-11', '2024-06-12', '2024-07-02', '2024-07-31');
    const found = gaps({ gone: ['2024-07-02'], bars: some });
    expect([found.missingBars, found.missingBarsShare]).toEqual([2, 2 / 38]);
  });
});
