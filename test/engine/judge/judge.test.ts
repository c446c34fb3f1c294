/** Records that were made elsewhere, judged beside a benchmark, alone, and several together. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { heldReturns, valueOfStream } from '../../../engine/judge/benchmark.ts';
import { doubtOf } from '../../../engine/judge/doubts.ts';
import { type Frequency, guessFrequency, missingPeriods } from '../../../engine/judge/frequency.ts';
import { judge, RecordRefused } from '../../../engine/judge/judge.ts';
import type { JudgeOptions } from '../../../engine/judge/judge-stream.ts';
import type { RecordColumn } from '../../../engine/judge/streams.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { dayOf } from '../../../engine/market/dates.ts';
import { momentsOf, probabilisticSharpe } from '../../../engine/statistics/moments.ts';
import { overfittingOf } from '../../../engine/statistics/overfitting.ts';
import { realityCheckOf } from '../../../engine/statistics/reality-check.ts';
import { firstAutocorrelation, serialPsr } from '../../../engine/statistics/serial-sharpe.ts';
import { statisticsOfRun } from '../../../engine/statistics/single-run.ts';
import { required } from '../../../engine/util/values.ts';
import { lehmer } from '../../support/series.ts';

const SEED = '0123456789abcdef';
const DAYS = Int32Array.from(sessionsBetween(dayOf(2020, 1, 2), dayOf(2022, 12, 30)));

function noise(count: number, seed: number, drift = 0.0004): Float64Array {
  const next = lehmer(seed);
  return Float64Array.from({ length: count }, () => drift + 0.02 * (next() - 0.5));
}

const column = (name: string, values: ArrayLike<number>): RecordColumn => ({ name, values: Float64Array.from(values) });

const OPTIONS: Omit<JudgeOptions, 'days' | 'columns'> = {
  form: 'returns',
  frequency: null,
  benchmark: null,
  riskFreeOn: null,
  isChosen: false,
  alternative: 0.5,
  prior: 0.05,
  detail: [],
  seed: SEED,
};

const judged = (columns: readonly RecordColumn[], more: Partial<JudgeOptions> = {}) =>
  judge({ ...OPTIONS, days: DAYS, columns, ...more });
const codes = ({ notes }: ReturnType<typeof judge>) => notes.map(({ code }) => code);

describe('a record beside a benchmark', () => {
  const own = noise(DAYS.length, 1, 0.0008);
  const market = noise(DAYS.length, 2);
  const beside = judged([column('fund', own), column('index', market)], { benchmark: { name: 'index', value: null } });

  it('has the statistics of a run with these returns, and one stream fewer than columns', () => {
    expect(beside.streams.map(({ stream }) => stream.name)).toEqual(['fund']);
    const [{ statistics, sheet, missing }] = beside.streams;
    // The value of the benchmark is compounded and divided again.
    const expected = statisticsOfRun(own, market, DAYS[DAYS.length - 1] - DAYS[0], SEED);
    expect(statistics.psr).toBe(expected.psr);
    expect(statistics.sharpeInterval).toEqual(expected.sharpeInterval);
    expect(statistics.skill?.beta).toBeCloseTo(required(expected.skill).beta, 10);
    expect(statistics.skill?.appraisal).toBeCloseTo(required(required(expected.skill).appraisal), 10);
    expect(missing).toBe(0);
    expect(sheet.benchmark?.total_pct).toBeCloseTo(100 * (market.reduce((growth, r) => growth * (1 + r), 1) - 1), 10);
    expect([sheet.trades, sheet.time?.exposure_pct, sheet.chance.trade_order]).toEqual([null, null, null]);
    expect(sheet.series).toHaveLength(DAYS.length);
    expect(beside.choice).toBeNull();
  });

  it('has the serial figures of its own returns', () => {
    const moments = required(momentsOf(own));
    const rho = firstAutocorrelation(own, moments);
    const [{ serial }] = beside.streams;
    expect(serial?.rho).toBe(rho);
    expect(serial?.psr).toBe(serialPsr({ ...moments, rho }, 0));
  });

  it('counts days that the benchmark lacks as 0, and what they hold belongs to the next one', () => {
    const value = { day: Int32Array.of(10, 11, 14), value: Float64Array.of(100, 110, 121) };
    const { returns, gaps } = heldReturns(value, Int32Array.of(11, 12, 13, 14), 10);
    [0.1, 0, 0, 0.1].forEach((expected, t) => {
      expect(returns[t]).toBeCloseTo(expected, 14);
    });
    expect(gaps).toBe(2);
    // Bought at its first close.
    expect(heldReturns(value, Int32Array.of(9, 10, 11), 8)).toEqual({
      returns: Float64Array.of(0, 0, 110 / 100 - 1),
      gaps: 2,
    });
  });

  it('compounds the benchmark over the days between rows', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -0.3, max: 0.3, noNaN: true }), { minLength: 4, maxLength: 40 }),
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        (given, keep) => {
          const days = Int32Array.from(given.keys(), (t) => 100 + t);
          const returns = Float64Array.from(given);
          const stream = { name: '', frequency: 'day' as const, rows: days, days, returns, base: 99 };
          const some = days.filter((_, t) => keep[t] || t === days.length - 1);
          const held = heldReturns(valueOfStream(stream), some, 99);
          const growth = (values: Float64Array) => values.reduce((product, r) => product * (1 + r), 1);
          expect(growth(held.returns)).toBeCloseTo(growth(returns), 9);
          expect(held.gaps).toBe(0);
        },
      ),
    );
  });
});

describe('a record without a benchmark', () => {
  const alone = judged([column('fund', noise(DAYS.length, 1))]);

  it('has no figures beside it, and no sentence on skill', () => {
    const [{ statistics, sheet }] = alone.streams;
    expect([statistics.skill, sheet.benchmark, sheet.series?.[0].benchmark]).toEqual([null, null, null]);
    expect(sheet.time?.rolling['63'].every(({ beta }) => beta === null)).toBe(true);
    expect(sheet.verdict.sentences.map(({ key }) => key)).toEqual(['loss_share', 'drawdown_expected']);
    expect(codes(alone)).toEqual(['frequency_guessed', 'no_benchmark', 'assumed']);
  });

  it('of an equity curve has the first value as base', () => {
    const returns = noise(DAYS.length - 1, 3);
    const equity = new Float64Array(DAYS.length).fill(50);
    for (let t = 0; t < returns.length; t++) equity[t + 1] = equity[t] * (1 + returns[t]);
    const [{ stream, statistics }] = judged([column('fund', equity)], { form: 'equity' }).streams;
    expect([stream.base, stream.days[0], statistics.returns]).toEqual([DAYS[0], DAYS[1], returns.length]);
    expect(statistics.psr).toBeCloseTo(
      required(judged([column('fund', [Number.NaN, ...returns])]).streams[0].statistics.psr),
      9,
    );
  });

  it('has the same figures in whatever money its curve is', () => {
    const returns = noise(120, 3);
    const days = DAYS.subarray(0, 121);
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1e6, noNaN: true }), (money) => {
        const equity = Float64Array.of(
          money,
          ...returns.map((_, t) => {
            return money * returns.subarray(0, t + 1).reduce((growth, r) => growth * (1 + r), 1);
          }),
        );
        const [{ sheet }] = judged([column('fund', equity)], { days, form: 'equity', seed: null }).streams;
        const [{ sheet: ofReturns }] = judged([column('fund', [Number.NaN, ...returns])], { days, seed: null }).streams;
        for (const name of ['total_pct', 'sharpe', 'max_drawdown_pct', 'skewness'] as const)
          expect(required(sheet.returns[name])).toBeCloseTo(required(ofReturns.returns[name]), 6);
      }),
      { numRuns: 20 },
    );
  });

  it('is above the risk-free rate in its ratios, not in its returns', () => {
    const own = noise(DAYS.length, 1, 0.0008);
    const rate = 0.0002;
    const riskFreeOn = (days: Int32Array) => ({ returns: new Float64Array(days.length).fill(rate), gaps: 1 });
    const above = judged([column('fund', own)], { riskFreeOn, seed: null });
    const less = judged(
      [
        column(
          'fund',
          own.map((r) => r - rate),
        ),
      ],
      { seed: null },
    );
    const plain = judged([column('fund', own)], { seed: null });
    expect(above.streams[0].sheet.returns.sharpe).toBeCloseTo(required(less.streams[0].sheet.returns.sharpe), 12);
    expect(above.streams[0].sheet.returns.total_pct).toBe(plain.streams[0].sheet.returns.total_pct);
    expect(codes(above)).toContain('risk_free_gaps');
  });

  it('has figures of a year by its frequency', () => {
    const rows = 120;
    const values = noise(rows, 5);
    const fridays = Int32Array.from({ length: rows }, (_, i) => dayOf(2020, 1, 3) + 7 * i);
    const monthEnds = Int32Array.from({ length: rows }, (_, i) => dayOf(2012, 1 + i + 1, 1) - 1);
    const sharpes = [DAYS.subarray(0, rows), fridays, monthEnds].map((days) => {
      const [{ sheet, stream, statistics }] = judged([column('fund', values)], { days }).streams;
      // The first week or month is a whole one.
      const from = stream.frequency === 'day' ? days[0] : stream.base;
      const expected = statisticsOfRun(values, null, days[rows - 1] - from, SEED);
      expect(statistics.annualizedInterval).toEqual(expected.annualizedInterval);
      return [stream.frequency, required(sheet.returns.sharpe)] as const;
    });
    expect(sharpes.map(([frequency]) => frequency)).toEqual(['day', 'week', 'month'] satisfies Frequency[]);
    expect(sharpes[1][1] / sharpes[0][1]).toBeCloseTo(Math.sqrt(52 / 252), 12);
    expect(sharpes[2][1] / sharpes[0][1]).toBeCloseTo(Math.sqrt(12 / 252), 12);
  });

  it('says what is missing, short, and not what it seems', () => {
    const holes = noise(DAYS.length, 1).map((r, t) => (t > 0 && t % 50 === 0 ? Number.NaN : r));
    const gappy = judged([column('fund', holes)]);
    expect(gappy.streams[0].missing).toBe(holes.filter(Number.isNaN).length);
    expect(codes(gappy)).toContain('gaps');
    const short = judged([column('fund', noise(59, 1))], { days: DAYS.subarray(0, 59) });
    expect([codes(short).includes('short_record'), short.streams[0].serial]).toEqual([true, null]);
    const saturday = Int32Array.of(...DAYS.subarray(0, 100), dayOf(2020, 1, 4)).sort();
    expect(codes(judged([column('fund', noise(101, 1))], { days: saturday }))).toContain('no_session');
    expect(doubtOf(column('', noise(100, 1)))).toBeNull();
    expect(
      doubtOf(
        column(
          '',
          noise(100, 1).map((r) => 100 * r),
        ),
      ),
    ).toBe('percent');
    expect(doubtOf(column('', [0.01, -1.2, 0.01]))).toBe('percent');
    expect(doubtOf(column('', [1, 1.01, 0.99]))).toBe('equity');
  });

  it('is refused where it has no returns, or a name is of no stream', () => {
    expect(() => judged([column('fund', new Float64Array(DAYS.length).fill(Number.NaN))])).toThrow(RecordRefused);
    expect(() => judged([column('fund', noise(DAYS.length, 1))], { detail: ['other'] })).toThrow(RecordRefused);
    expect(() =>
      judged([column('fund', noise(DAYS.length, 1))], { benchmark: { name: 'other', value: null } }),
    ).toThrow(RecordRefused);
    expect(() => judged([column('a', [0, 0.1])], { days: Int32Array.of(0, 91) })).toThrow(RecordRefused);
  });
});

describe('several streams', () => {
  const columns = Array.from({ length: 12 }, (_, i) => column(`s${i}`, noise(DAYS.length, 10 + i, 0.0001 * i)));
  const market = noise(DAYS.length, 2);
  const options = { benchmark: { name: 'index', value: null } };
  const together = judged([...columns, column('index', market)], options);

  it('are the trials of a search', () => {
    const choice = required(together.choice);
    const returns = columns.map(({ values }) => values);
    expect(choice.periods).toBe(DAYS.length);
    expect(choice.overfitting).toEqual(overfittingOf(returns));
    const check = required(realityCheckOf(returns, returns[choice.best], market, SEED));
    expect(choice.realityCheck?.consistent).toBe(check.consistent);
    expect(choice.haircut?.tests).toBe(12);
    const spread = required(choice.spread);
    expect(probabilisticSharpe(required(choice.moments), spread)).not.toBeNull();
    const appraisals = together.streams.map(({ statistics }) => statistics.skill?.appraisal ?? 0);
    expect(choice.best).toBe(appraisals.indexOf(Math.max(...appraisals)));
  });

  it('are compared on the days that all have, unless these are few', () => {
    const late = columns.map(({ name, values }, i) =>
      column(
        name,
        values.map((r, t) => (i === 0 && t < 100 ? Number.NaN : r)),
      ),
    );
    expect(judged(late, { seed: null }).choice?.periods).toBe(DAYS.length - 100);
    const short = columns.map(({ name, values }, i) =>
      column(
        name,
        values.map((r, t) => (i === 0 && t < DAYS.length / 2 + 1 ? Number.NaN : r)),
      ),
    );
    const few = judged(short, { seed: null });
    expect([few.choice, codes(few).includes('few_common')]).toEqual([null, true]);
  });

  it('have a selection that is null for other frequencies', () => {
    const fridays = columns[0].values.map((r, t) =>
      new Date(DAYS[t] * 86_400_000).getUTCDay() === 5 ? r : Number.NaN,
    );
    const mixed = judged([columns[1], column('weekly', fridays)]);
    expect(mixed.streams.map(({ stream }) => stream.frequency)).toEqual(['day', 'week']);
    expect([mixed.choice, codes(mixed).includes('mixed_frequency')]).toEqual([null, true]);
  });

  it('are resampled where they are best, or named', () => {
    const days = DAYS.subarray(0, 100);
    const many = Array.from({ length: 25 }, (_, i) => column(`s${i}`, noise(100, 40 + i, 0.0001 * i)));
    const best = judged(many, { days });
    expect(best.streams.filter(({ statistics }) => statistics.sharpeInterval !== null)).toHaveLength(20);
    expect(codes(best)).toContain('figures_only');
    const named = judged(many, { days, detail: ['s0', 's24'] });
    const resampled = named.streams.filter(({ sheet }) => sheet.chance.bootstrap !== null);
    expect(resampled.map(({ stream }) => stream.name)).toEqual(['s0', 's24']);
  });
});

describe('rows', () => {
  it('are days, weeks, or months by the steps between them', () => {
    expect(guessFrequency(DAYS)).toBe('day');
    expect(guessFrequency(Int32Array.of(0, 7, 14, 22))).toBe('week');
    expect(guessFrequency(Int32Array.of(30, 58, 89, 119))).toBe('month');
    expect(guessFrequency(Int32Array.of(0, 91, 182))).toBeNull();
  });

  it('are missing where a session, week, or month has none', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(DAYS.length - 1), { minLength: 2, maxLength: 60 }), (chosen) => {
        const rows = chosen.toSorted((a, b) => a - b);
        const [first, last] = [rows[0], rows[rows.length - 1]];
        const days = Int32Array.from(rows, (row) => DAYS[row]);
        expect(missingPeriods(days, 'day')).toBe(last - first + 1 - rows.length);
      }),
    );
    expect(missingPeriods(Int32Array.of(0, 8, 28), 'week')).toBe(2);
    expect(missingPeriods(Int32Array.of(dayOf(2020, 1, 31), dayOf(2020, 4, 30)), 'month')).toBe(2);
  });
});
