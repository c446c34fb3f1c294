/** Long-short portfolios by hand, and laws that hold for all of them. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type FormationPanel,
  formCohort,
  LONG_SHORT_BREAKPOINTS,
  LONG_SHORT_WEIGHTS,
  type LongShortRule,
  marketValues,
} from '../../../engine/factors/cohort.ts';
import { formationSessions, longShort } from '../../../engine/factors/long-short.ts';
import { testMean } from '../../../engine/factors/mean-test.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { UniformDraws } from '../../../engine/statistics/draws.ts';
import { required } from '../../../engine/util/values.ts';
import { lehmer } from '../../support/series.ts';

const EQUAL: LongShortRule = { weights: 'equal', breakpoints: 'all', cuts: 5, hold: 1, micro: true };

const range = (count: number) => Array.from({ length: count }, (_, i) => i);
/** Month ends from January 2020 on. */
const monthEnds = (count: number) => Int32Array.from(range(count), (k) => Date.UTC(2020, k + 1, 0) / 86_400_000);

interface Given {
  readonly size?: readonly number[];
  readonly rawClose?: readonly number[];
  readonly isNyse?: readonly number[];
  /** By member: the formation of its last bar. */
  readonly last?: readonly number[];
}

/** `closes`: by formation, then by member. What is given by member is the same at all formations. */
function panelOf(closes: readonly (readonly number[])[], { size, rawClose, isNyse, last }: Given = {}): FormationPanel {
  const [{ length: members }] = closes;
  const days = monthEnds(closes.length);
  const nyse = Uint8Array.from(isNyse ?? range(members).map(() => 1));
  const always = (figures: readonly number[]) => Float64Array.from(closes.flatMap(() => figures));
  return {
    days,
    members,
    close: Float64Array.from(closes.flat()),
    rawClose: always(rawClose ?? range(members).map(() => 100)),
    size: size === undefined ? null : marketValues(always(size), nyse),
    isNyse: nyse,
    lastDay: Int32Array.from(
      last ?? range(members).map(() => closes.length),
      (k) => days[k] ?? days[days.length - 1] + 1,
    ),
  };
}

const repeated = (values: readonly number[], count: number) => Float64Array.from(range(count).flatMap(() => values));
const membersOf = (panel: FormationPanel, values: readonly number[], rule: LongShortRule) => {
  const cohort = formCohort(panel, Float64Array.from(values), 0, rule);
  return cohort && { long: [...cohort.long.members], short: [...cohort.short.members] };
};

describe('formations', () => {
  it('are the last sessions of the months whose ends by the calendar lie in the range', () => {
    const clock = Int32Array.from(sessionsBetween(requireDay('2024-02-15'), requireDay('2024-06-27')));
    const found = formationSessions(clock, requireDay('2024-02-15'), requireDay('2024-06-27'));
    expect(found.map((session) => formatDay(clock[session]))).toEqual([
      '2024-02-29',
      '2024-03-28',
      '2024-04-30',
      '2024-05-31',
    ]);
    const [first] = formationSessions(
      clock.filter((day) => day !== requireDay('2024-02-29')),
      clock[0],
      clock[60],
    );
    expect(formatDay(clock[first])).toBe('2024-02-28');
  });
});

describe('classes', () => {
  it('puts a value at its own percentile into the lower class, however many names there are', () => {
    for (let n = 101; n <= 400; n++) {
      const values = range(n).map((i) => i ** 3 - 1e7);
      for (const [cuts, low, high] of [
        [5, 1 / 5, 4 / 5],
        [10, 1 / 10, 9 / 10],
        [[0.3, 0.7], 0.3, 0.7],
      ] as const) {
        const found = membersOf(panelOf([values.map(() => 1)]), values, { ...EQUAL, cuts });
        const counts = [
          Math.floor(Math.round((n - 1) * low * 1e6) / 1e6),
          Math.floor(Math.round((n - 1) * high * 1e6) / 1e6),
        ];
        expect([n, cuts, found?.short.length, found?.long.length]).toEqual([n, cuts, counts[0] + 1, n - 1 - counts[1]]);
      }
    }
  });

  it('parts the names into two', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 30, maxLength: 90 }),
        (values) => {
          const found = membersOf(panelOf([values.map(() => 1)]), values, { ...EQUAL, cuts: 2 });
          if (found === null) return;
          expect([...found.long, ...found.short].sort((a, b) => a - b)).toEqual(range(values.length));
        },
      ),
    );
  });

  it('takes the ends of distinct values', () => {
    const values = range(45).map((i) => [-1, 0, 1][i % 3]);
    const found = membersOf(panelOf([values.map(() => 1)]), values, { ...EQUAL, cuts: 'classes' });
    expect(found?.short.every((m) => values[m] === -1) && found.long.every((m) => values[m] === 1)).toBe(true);
    expect([found?.short.length, found?.long.length]).toEqual([15, 15]);
    expect(
      membersOf(
        panelOf([values.map(() => 1)]),
        values.map(() => 7),
        { ...EQUAL, cuts: 'classes' },
      ),
    ).toBeNull();
  });

  it('is undefined where the breakpoints are one, or a side has fewer than ten names', () => {
    const flat = range(60).map((i) => (i < 50 ? 1 : i));
    const panel = panelOf([flat.map(() => 1)]);
    expect(membersOf(panel, flat, { ...EQUAL, cuts: 3 })).toBeNull();
    expect(membersOf(panel, flat, { ...EQUAL, cuts: 2 })?.long).toHaveLength(10);
    expect(
      membersOf(
        panel,
        flat.map((value, i) => (i === 59 ? Number.NaN : value)),
        { ...EQUAL, cuts: 2 },
      ),
    ).toBeNull();
  });

  it('makes breakpoints of NYSE, or without microcaps, for names of all kinds', () => {
    const values = range(100);
    const isNyse = values.map((i) => Number(i >= 50));
    const rawClose = values.map((i) => (i < 50 ? 4 : 6));
    const panel = panelOf([values.map(() => 1)], { isNyse, rawClose });
    // A fifth of 50 to 99 is 59.8.
    const upTo60 = range(60);
    expect(membersOf(panel, values, { ...EQUAL, breakpoints: 'nyse' })?.short).toEqual(upTo60);
    expect(membersOf(panel, values, { ...EQUAL, breakpoints: 'no_micro' })?.short).toEqual(upTo60);
    expect(membersOf(panel, values, { ...EQUAL, micro: false })?.short).toEqual(upTo60.slice(50));
  });
});

describe('weights', () => {
  const values = range(100);
  const size = values.map((i) => (i === 0 ? Number.NaN : i === 1 ? 0 : 101 - i));
  const panel = panelOf([values.map(() => 1)], { size });

  it('are market values, of names that have one, at most the 80th percentile of NYSE', () => {
    const short = (weights: LongShortRule['weights']) =>
      required(formCohort(panel, Float64Array.from(values), 0, { ...EQUAL, weights })).short;
    expect([...short('value').members]).toEqual(range(20).slice(2));
    expect([...short('value').weights]).toEqual(
      range(20)
        .slice(2)
        .map((i) => 101 - i),
    );
    // Sizes are 2 to 99: 2 + 97 · 0.8.
    expect([...short('capped').weights]).toEqual(range(18).map((i) => Math.min(99 - i, 79.6)));
    expect([...short('equal').members]).toEqual(range(20));
  });

  it('take microcaps, and names without a market value, out of both sides', () => {
    const found = membersOf(panel, values, { ...EQUAL, micro: false });
    // The 20th percentile is 21.4: names 2 to 79 stay, and a fifth of them is 17.4.
    expect(found).toEqual({ short: range(18).slice(2), long: range(80).slice(64) });
  });
});

describe('months', () => {
  const names = range(50);
  const grow = (returns: (m: number) => number) => [names.map(() => 10), names.map((m) => 10 * (1 + returns(m)))];

  it('are the return of the long side less that of the short one', () => {
    const closes = grow((m) => (m >= 40 ? 0.1 + (m - 40) / 100 : m < 10 ? 0.02 : 9));
    const [month] = longShort(panelOf(closes), repeated(names, 2), EQUAL).series;
    expect(month).toEqual({
      month: '2020-02',
      ls: expect.closeTo(0.125, 12),
      long: expect.closeTo(0.145, 12),
      short: expect.closeTo(0.02, 12),
      names: [10, 10],
    });
  });

  it('drop names that ended, after the month of their end', () => {
    const closes = [...grow((m) => (m === 49 ? -0.5 : 0)), names.map((m) => (m === 49 ? 5 : m === 48 ? 20 : 10))];
    // The last bar of 49 lies within the first month, which its loss belongs to; it is no member later.
    const last = names.map((m) => (m === 49 ? 0.5 : 3));
    const panel = panelOf(closes, { last });
    const lastDay = panel.lastDay.map((day, m) => (m === 49 ? panel.days[0] + 5 : day));
    const values = repeated(names, 3).map((value, at) => (at >= 50 && at % 50 === 49 ? Number.NaN : value));
    const found = longShort({ ...panel, lastDay }, values, { ...EQUAL, hold: 2 });
    expect(found.series).toHaveLength(1);
    // First cohort: nine names are left, one of which doubled; second: ten of 49 names.
    expect(found.series[0].long).toBeCloseTo((1 / 9 + 1 / 10) / 2, 12);
    expect(longShort({ ...panel, lastDay }, values, EQUAL).series[0].long).toBeCloseTo(-0.05, 12);
  });

  it('begin when all cohorts are there, and lack those with an undefined one', () => {
    const closes = range(8).map(() => names.map(() => 10));
    const values = repeated(names, 8).map((value, at) => (Math.floor(at / 50) === 4 ? Number.NaN : value));
    const found = longShort(panelOf(closes), values, { ...EQUAL, hold: 2 });
    expect(found.series.map(({ month }) => month)).toEqual(['2020-03', '2020-04', '2020-05', '2020-08']);
    expect(found).toMatchObject({ formations: 8, undefined: 1, months: 4 });
  });

  it.each(
    LONG_SHORT_WEIGHTS.flatMap((weights) =>
      LONG_SHORT_BREAKPOINTS.map((breakpoints) => [weights, breakpoints] as const),
    ),
  )('are the return that all names have, on both sides: weights %s, breakpoints %s', (weights, breakpoints) => {
    const levels = [1, 1.1, 1.1 * 0.8, 1.1 * 0.8 * 1.05];
    const closes = levels.map((level) => names.map((m) => level * (m + 1)));
    const panel = panelOf(closes, { size: names.map((m) => 100 - m), isNyse: names.map((m) => m % 2) });
    const { series } = longShort(panel, repeated(names, 4), { ...EQUAL, weights, breakpoints, cuts: 3, hold: 2 });
    expect(series.map(({ long }) => long)).toEqual([expect.closeTo(-0.2, 12), expect.closeTo(0.05, 12)]);
    expect(series.map(({ ls }) => ls)).toEqual([expect.closeTo(0, 12), expect.closeTo(0, 12)]);
  });

  it('exchange nothing while neither names nor prices change, and two sides whole where they swap', () => {
    const closes = range(4).map(() => names.map(() => 10));
    const same = longShort(panelOf(closes), repeated(names, 4), EQUAL);
    expect(same).toMatchObject({ turnover: 0, break_even: null, t_nw: null, interval: [0, 0] });
    const swapped = repeated(names, 4).map((value, at) => (Math.floor(at / 50) % 2 === 0 ? value : -value));
    expect(longShort(panelOf(closes), swapped, EQUAL).turnover).toBeCloseTo(2, 12);
  });

  it('exchange only what brings drifted weights back', () => {
    const closes = [...grow((m) => (m === 49 ? 1 : 0)), grow((m) => (m === 49 ? 1 : 0))[1]];
    // 49 grew from a tenth to 2/11: half of (2/11 - 1/10) + 9 · (1/10 - 1/11).
    expect(longShort(panelOf(closes), repeated(names, 3), EQUAL).turnover).toBeCloseTo(2 / 11 - 1 / 10, 12);
  });
});

describe('the test of a mean', () => {
  it('counts the covariances up to its lag with the weights of Bartlett', () => {
    const random = lehmer(7);
    const returns = Float64Array.from(range(60), () => random() - 0.45);
    const mean = returns.reduce((sum, r) => sum + r, 0) / 60;
    const products = (lag: number) =>
      range(60 - lag).reduce((sum, t) => sum + (returns[t] - mean) * (returns[t + lag] - mean), 0);
    for (const [hold, lag] of [
      [1, 3],
      [12, 11],
    ]) {
      const weighted = range(lag).reduce(
        (sum, i) => sum + 2 * (1 - (i + 1) / (lag + 1)) * products(i + 1),
        products(0),
      );
      const error = Math.sqrt(weighted) / 60;
      const found = testMean(returns, hold);
      expect(found).toMatchObject({ months: 60, lag, t_nw: expect.closeTo(mean / error, 10) });
      expect(found.interval?.[1]).toBeCloseTo(mean + 1.6449 * error, 12);
      expect(found.t).toBeCloseTo(mean / Math.sqrt(products(0) / 59 / 60), 10);
    }
  });

  it('is near 0 for values without a meaning', () => {
    const draws = UniformDraws.fromSeed('00000000000000aa');
    const draw = () => draws.next();
    const [months, members, histories] = [61, 60, 100];
    const closes = [range(members).map(() => 100)];
    for (let k = 1; k < months; k++) closes.push(closes[k - 1].map((close) => close * (1 + 0.2 * (draw() - 0.5))));
    const panel = panelOf(closes);
    const values = () => Float64Array.from(range(months * members), draw);
    const means = range(histories).map(() => required(longShort(panel, values(), EQUAL).mean));
    // A side of twelve names deviates by 0.0167 a month: four deviations of the mean of all histories.
    expect(Math.abs(means.reduce((sum, mean) => sum + mean, 0) / histories)).toBeLessThan(0.0012);
  });
});
