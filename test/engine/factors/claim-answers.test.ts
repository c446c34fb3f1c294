/** Compares published claims in the months of real stocks with what another implementation of the same rules found. */
import { beforeAll, expect, it } from '@jest/globals';
import { CLAIMS } from '../../../engine/factors/claims/claims.ts';
import { type ClaimRow, computeClaim } from '../../../engine/factors/claims/rows.ts';
import { judge, wordsOf } from '../../../engine/factors/claims/words.ts';
import { lagOf } from '../../../engine/tear-sheet/regression.ts';
import { required } from '../../../engine/util/values.ts';
import { expectSame, type Figures, readKnownAnswers } from '../../support/known-answers.ts';
import { ranks } from '../../support/panels.ts';
import { dividendMonths, type Formations, rangeOf, readFormations, valuesAt } from '../../support/real-formations.ts';

interface Answers {
  readonly words: readonly {
    readonly published_pct: number | null;
    readonly expected_pct: number | null;
    readonly low: number;
    readonly high: number;
    readonly months: number;
    readonly sigma_pct: number;
    readonly words: string;
    readonly power: number | null;
  }[];
  readonly claims: {
    readonly start: string;
    readonly end: string;
    readonly items: readonly {
      readonly code: string;
      readonly value: string;
      readonly cuts: unknown;
      readonly hold: number;
      readonly rows: readonly ClaimRow[];
      readonly words: string | null;
      readonly expected_pct: number | null;
      readonly power: number | null;
      readonly series: readonly { readonly month: string; readonly ls: number; readonly names: readonly number[] }[];
    }[];
  };
}

/** The answers have 12 digits. */
const DIGITS = 1e-11;

const { content, describe } = readKnownAnswers<unknown, Answers>('factors.json.gz');

/** The values that are of the bars of days, as far as the language has their words. */
const OF_DAYS: Readonly<Record<string, string>> = {
  high_52w: 'close / highest_of(close, 252)',
  low_price: '-close',
  volatility_21: '-volatility(21)',
  max_21: '-highest_of(roc(1), 21)',
  // In the order of the skewness: a sample deviation, and means over products.
  skew_21:
    '-(sma_of(roc(1) * roc(1) * roc(1), 21) - 3 * sma_of(roc(1), 21) * sma_of(roc(1) * roc(1), 21) + 2 * sma_of(roc(1), 21) * sma_of(roc(1), 21) * sma_of(roc(1), 21)) / (stdev_of(roc(1), 21) * stdev_of(roc(1), 21) * stdev_of(roc(1), 21))',
  amihud: '1000000000 * sma_of(abs(roc(1)) / dollar_volume, 252)',
};
const OF_MONTHS: Readonly<Record<string, string>> = {
  mom_12_1: 'lag(roc(11), 1)',
  reversal_1m: '-roc(1)',
  season_1: 'lag(roc(1), 11)',
  half_year: 'lag(roc(5), 1)',
  two_years: 'lag(roc(24), 13)',
  beta: 'lag(roc(1), 59)',
};

/** Winners of half a year that lost for two years less the opposite corner. */
function cornersOf({ panel }: Formations, halfYear: Float64Array, twoYears: Float64Array): Float64Array {
  const { members } = panel;
  const ranked = (values: Float64Array) =>
    Float64Array.from(
      Array.from(panel.days, (_, k) => ranks([...values.subarray(k * members, (k + 1) * members)])).flat(),
    );
  const [recent, long] = [ranked(halfYear), ranked(twoYears)];
  return recent.map((a, at) => {
    const b = long[at];
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
    if (a > 0.8 && b <= 0.2) return 1;
    return a <= 0.2 && b > 0.8 ? -1 : 0;
  });
}

describe('words of claims', () => {
  const cases = content?.words ?? [];
  it.each(cases.map((one) => [one.words, one] as const))('%s', (_, one) => {
    const found = judge({
      publishedPct: one.published_pct,
      intervalPct: [one.low, one.high],
      errorPct: one.sigma_pct / Math.sqrt(one.months),
      months: one.months,
      lag: lagOf(one.months),
    });
    expect(wordsOf(found)?.en).toBe(one.words);
    const { power, expected_pct } = one;
    expectSame({ power: found.power, expected_pct: found.expectedPct }, { power, expected_pct }, 'words', DIGITS);
  });
});

describe('claims in the months of real stocks', () => {
  const { items = [], ...range } = content?.claims ?? { start: '', end: '' };
  let formations: Formations;
  const values = new Map<string, Float64Array>();

  beforeAll(async () => {
    formations = readFormations(null, rangeOf(range));
    for (const [texts, bars] of [
      [OF_DAYS, 'days'],
      [OF_MONTHS, 'months'],
    ] as const) {
      const found = await valuesAt(formations, Object.values(texts), bars);
      for (const [i, code] of Object.keys(texts).entries()) values.set(code, found[i]);
    }
    const [halfYear, twoYears] = [required(values.get('half_year')), required(values.get('two_years'))];
    values.set('mom_reversal', cornersOf(formations, halfYear, twoYears));
    values.set('dividend_month', dividendMonths(formations));
  });

  it.each(items.map((item) => [item.code, item] as const))('%s', (code, { rows, series, words, ...expected }) => {
    const claim = required(CLAIMS.find((one) => one.code === code));
    expect(claim).toMatchObject({ expression: expected.value, cuts: expected.cuts, hold: expected.hold });
    const found = computeClaim(claim, formations.panel, required(values.get(code)));
    const { judgement } = found;
    expect(wordsOf(judgement)?.en ?? null).toBe(words);
    const figures = { expected_pct: judgement.expectedPct, power: judgement.power };
    expectSame(figures, { expected_pct: expected.expected_pct, power: expected.power }, code, DIGITS);
    expect(found.rows).toHaveLength(rows.length);
    for (const [i, { periods, interval_pct, breakpoints, ...row }] of rows.entries()) {
      const { [i]: own } = found.rows;
      const of = `${code}, row ${i}`;
      expectSame({ ...own, micro: String(own.micro) }, { ...row, micro: String(row.micro) }, of, DIGITS);
      expectSame({ ...own.interval_pct }, { ...interval_pct } as Figures, `${of}, interval`, DIGITS);
      expect(own.periods.map(({ period }) => period)).toEqual(periods.map(({ period }) => period));
      for (const [k, { interval_pct: _, ...period }] of periods.entries()) {
        const { interval_pct: ends, ...figures } = own.periods[k];
        expectSame(figures, period, of, DIGITS);
        // The error is mean ÷ t.
        const half = (1.6449 * Number(period.mean_pct)) / Number(period.t_nw);
        if (period.t_nw !== null) expectSame({ half: ends && (ends[1] - ends[0]) / 2 }, { half }, of, DIGITS);
      }
    }
    expect(found.series).toHaveLength(series.length);
    for (const [i, { names, ...month }] of series.entries()) {
      expectSame({ ...found.series[i] }, month, `${code}, ${month.month}`, DIGITS);
      expect(found.series[i].names).toEqual(names);
    }
  });
});
