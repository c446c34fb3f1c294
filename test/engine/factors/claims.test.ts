/** The table of published claims, and the reasons why a figure of ours is not the published one. */
import { describe, expect, it } from '@jest/globals';
import { CLAIMS, type Claim, cellOf, columnsNeeded, readClaims } from '../../../engine/factors/claims/claims.ts';
import { periodOf } from '../../../engine/factors/claims/rows.ts';
import { CLAIM_TABLE } from '../../../engine/factors/claims/table.ts';
import { type ClaimMarket, gradeOf, reasonsFor, WHY_CODES } from '../../../engine/factors/claims/why.ts';
import { judge, wordsOf } from '../../../engine/factors/claims/words.ts';
import { required } from '../../../engine/util/values.ts';

const claimOf = (code: string) => required(CLAIMS.find((claim) => claim.code === code));

const market: ClaimMarket = {
  names: 4_000,
  microShare: 0.5,
  ended: 300,
  endedWithReturn: 250,
  memberYears: 10_000,
  isStocksOnly: true,
  spansVolumeBases: false,
  firstMonth: '1970-02',
};
const codesOf = (claim: Claim, months: readonly string[], given: Partial<ClaimMarket> = {}) =>
  reasonsFor(claim, months, { ...market, ...given }).map(({ code }) => code);

describe('the table of claims', () => {
  it('has fifty, each once, with a value whose parentheses match', () => {
    expect(CLAIMS).toHaveLength(50);
    expect(new Set(CLAIMS.map(({ code }) => code)).size).toBe(50);
    expect(new Set(CLAIMS.map(({ expression }) => expression)).size).toBe(50);
    for (const { code, expression } of CLAIMS) {
      expect([code, code]).toEqual([expect.stringMatching(/^[a-z][a-z0-9_]*$/), code]);
      expect([code, expression.split('(').length]).toEqual([code, expression.split(')').length]);
    }
  });

  it('has a return where the paper has one, and says what it is', () => {
    const without = CLAIMS.filter(({ publishedPct }) => publishedPct === null);
    expect(without.filter(({ kind }) => kind !== 'slope').map(({ code }) => code)).toEqual(['spread_hl']);
    expect(CLAIMS.filter(({ kind }) => kind === 'slope').every(({ publishedPct }) => publishedPct === null)).toBe(true);
    expect(claimOf('mom_12_1')).toMatchObject({
      sample: { start: 1965, end: 1989 },
      year: 1993,
      publishedPct: 1.31,
      publishedT: 3.74,
      cuts: 10,
      hold: 3,
      every: 1,
      sign: 1,
      jkp: 'ret_12_1',
    });
    expect(claimOf('high_52w').cuts).toEqual([0.3, 0.7]);
    expect(claimOf('mom_reversal')).toMatchObject({ cuts: 'classes', kind: 'alpha', every: 3 });
  });

  it('tells the cell', () => {
    expect(cellOf(claimOf('mom_12_7'))).toBe('deciles of all stocks, value weights');
    expect(cellOf(claimOf('reversal_1m'))).toBe('deciles of all stocks, equal weights; CAPM alpha');
    expect(cellOf(claimOf('amihud'))).toBe('price > 5, NYSE; t of a regression slope');
    expect(cellOf(claimOf('dividend_stop'))).toMatch(/^two classes of common shares, .*; event study/);
  });

  it('names the own columns that a value needs', () => {
    expect(columnsNeeded(claimOf('issuance_5y'))).toEqual(['shares']);
    expect(columnsNeeded(claimOf('volatility_21'))).toEqual([]);
  });

  it.each([
    ['mom_12_1', 'sample', '| 1965 1989 |', '| 1989 1965 |'],
    ['mom_12_1', 'sample', '| 1965 1989 |', '| 1965 1999 |'],
    ['mom_12_1', 'cuts', 'all stocks | 10 |', 'all stocks | 1 |'],
    ['high_52w', 'cuts', '| 0.3 0.7 |', '| 0.7 0.3 |'],
    ['mom_12_1', 'published', '| 1.31 |', '| 1,31 |'],
    ['mom_12_1', 'weights', '| equal | deciles', '| even | deciles'],
    ['mom_12_1', 'expression', '| monthly(lag(roc(11), 1))', '|'],
    ['mom_12_1', 'number of fields', '| JF |', '|'],
    ['mom_12_1', 'code: it is there twice', 'mom_6_1 |', 'mom_12_1 |'],
  ])('refuses %s with a wrong %s', (code, field, from, to) => {
    expect(() => readClaims(CLAIM_TABLE.replace(from, to))).toThrow(`the claim ${code} has a wrong ${field}`);
  });
});

describe('periods of a claim', () => {
  it.each([
    ['1964-12', 'before'],
    ['1965-01', 'in_sample'],
    ['1989-12', 'in_sample'],
    ['1990-01', 'after_sample'],
    ['1993-12', 'after_sample'],
    ['1994-01', 'after_publication'],
  ])('%s is %s', (month, period) => expect(periodOf(month, claimOf('mom_12_1'))).toBe(period));
});

describe('why the figures differ', () => {
  it('gives an A to a sort as the paper made it, in its months', () => {
    expect(codesOf(claimOf('mom_12_1'), ['1970-02', '1970-03'])).toEqual(['universe', 'gross']);
    expect(gradeOf([{ code: 'universe' }, { code: 'gross' }])).toBe('A');
  });

  it('tells of the market what it lacks', () => {
    const poor = { microShare: 0.01, ended: 3, endedWithReturn: 0, isStocksOnly: false, spansVolumeBases: true };
    const codes = codesOf(claimOf('amihud'), ['1971-02'], poor);
    expect(codes).toEqual([
      'regression_slope',
      'holding',
      'universe',
      'no_small_caps',
      'survivors',
      'no_delisting_returns',
      'share_kinds',
      'volume_basis',
      'gross',
      'late_start',
    ]);
    const [reason] = reasonsFor(claimOf('amihud'), [], market).filter(({ code }) => code === 'universe');
    expect(reason).toEqual({ code: 'universe', names: 4_000, published: 'price > 5, NYSE' });
  });

  it.each([
    ['mom_12_1', ['no_common_month'], 'B'],
    ['mom_6_1', ['no_common_month', 'definition_near'], 'C'],
    ['reversal_1m', ['no_common_month', 'alpha_not_return'], 'B'],
    ['season_1', ['no_common_month', 'breakpoints'], 'B'],
    ['volatility_21', ['no_common_month', 'weights'], 'B'],
    ['size', ['no_common_month', 'alpha_not_return', 'breakpoints', 'holding'], 'B'],
    ['dividend_stop', ['no_common_month', 'event_study'], 'B'],
    ['low_beta', ['no_common_month', 'definition_near', 'market_is_ours'], 'C'],
  ])('judges %s after its publication', (code, expected, grade) => {
    const codes = codesOf(claimOf(code), ['2024-01']);
    expect(codes.slice(0, codes.indexOf('universe'))).toEqual(expected);
    expect(gradeOf(codes.map((one) => ({ code: one })))).toBe(grade);
  });

  it('has its codes in the order of telling', () => {
    for (const claim of CLAIMS) {
      const places = codesOf(claim, ['2024-01']).map((code) => WHY_CODES.indexOf(code));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places).not.toContain(-1);
    }
  });
});

describe('words', () => {
  const judged = { publishedPct: 1, intervalPct: [0.1, 0.2] as const, errorPct: 0.03, months: 24, lag: 3 };

  it('cannot tell from fewer than 24 months, or than two spans of its lag', () => {
    expect(judge(judged).word).toBe('smaller');
    expect(judge({ ...judged, months: 23 })).toEqual({ word: 'cannot_tell', expectedPct: 0.42, power: null });
    expect(judge({ ...judged, months: 71, lag: 35 }).word).toBe('cannot_tell');
    expect(judge({ ...judged, months: 72, lag: 35 }).word).toBe('smaller');
    expect(wordsOf(judge({ ...judged, months: 0, intervalPct: null }))).toBeNull();
  });

  it('says the figures in every language', () => {
    const found = wordsOf(judge({ ...judged, intervalPct: [-1, 1], errorPct: 0.42 / 1.6449 }));
    expect(found?.en).toBe('too short to tell: an effect of 0.42 would show in 50 of 100 histories this long');
    for (const text of Object.values(required(found))) expect(text).toMatch(/0\.42.*(50.*100|100.*50)/);
  });
});
