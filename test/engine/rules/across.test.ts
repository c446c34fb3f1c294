/** Values across the market, and of other instruments. Figures of pandas 3.1.1 and numpy 2.4.6 are recorded. */
import { describe, expect, it } from '@jest/globals';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { type Adjustment, adjustToLastBar } from '../../../engine/market/adjust.ts';
import { type BarSeries, keepDays, sliceSeries } from '../../../engine/market/series.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { HistoryColumns } from '../../../engine/rules/columns.ts';
import { compileCondition, compileValue } from '../../../engine/rules/compile.ts';
import { completionsAt } from '../../../engine/rules/complete.ts';
import { evaluateMarket, type Market } from '../../../engine/rules/market-values.ts';
import { OtherInstruments } from '../../../engine/rules/other-instruments.ts';
import { acrossIn, compareWithPeers } from '../../../engine/rules/peers.ts';
import { printExpression } from '../../../engine/rules/print.ts';
import { randomSeries, seriesOf } from '../../support/series.ts';

function checked(text: string, result: 'value' | 'condition', market: 'peers' | 'others' | 'none' = 'peers') {
  return checkRule(text, {
    result,
    market: market === 'none' ? undefined : market,
    mayUsePosition: false,
    parameters: null,
  });
}

function expressionOf(text: string, result: 'value' | 'condition', market?: 'peers' | 'others') {
  const found = checked(text, result, market);
  if ('problems' in found) throw new Error(`${text}: ${JSON.stringify(found.problems)}`);
  return found.expression;
}

const valueNode = (text: string) => compileValue(expressionOf(text, 'value'));
const conditionOf = (text: string) => compileCondition(expressionOf(text, 'condition'));

interface Given {
  readonly series: readonly BarSeries[];
  readonly types?: readonly string[];
  readonly delisted?: readonly number[];
}

function marketOf({ series, types = [], delisted = [] }: Given): Market {
  return {
    members: series.map((_, i) => ({ asset_type: types[i] ?? 'stock', venue: '' })),
    visit: () => series.map((one, member) => ({ member, series: one, isDelisted: delisted.includes(member) })),
  };
}

const sessionsOf = ({ series }: Given) => Int32Array.from(new Set(series.flatMap(({ day }) => [...day]))).sort();

/** By session, then by member. */
async function valuesAt(given: Given, text: string, where: string | null = null, others?: OtherInstruments) {
  const sessions = sessionsOf(given);
  const programs = { where: where === null ? [] : [conditionOf(where)], values: [valueNode(text)] };
  const asked = [...sessions.keys()];
  const { values, eligible } = await evaluateMarket(marketOf(given), programs, { sessions, asked }, others);
  const members = given.series.length;
  const rows = asked.map((row) => [...values[0].subarray(row * members, (row + 1) * members)]);
  return { rows, eligible: asked.map((row) => [...eligible.subarray(row * members, (row + 1) * members)]) };
}

/** One member for each price, all on one session. */
const onOneDay = (prices: readonly number[]) => prices.map((price) => seriesOf([price]));

const FIGURES = [3.5, 1.25, 1.25, -2, 7, 0.5, 3.5, 3.5, 12, -0.75, 4];
const PANDAS = {
  'rank(x)': [
    0.6363636363636364, 0.4090909090909091, 0.4090909090909091, 0.09090909090909091, 0.9090909090909091,
    0.2727272727272727, 0.6363636363636364, 0.6363636363636364, 1, 0.18181818181818182, 0.8181818181818182,
  ],
  'zscore(x)': [
    0.11144433011201887, -0.46923928468218495, -0.46923928468218495, -1.3080045060515904, 1.0147299531252247,
    -0.6628004896135862, 0.11144433011201887, 0.11144433011201887, 2.3051379860012333, -0.9854024978325883,
    0.24048513339961972,
  ],
  'demean(x)': [
    0.43181818181818166, -1.8181818181818183, -1.8181818181818183, -5.068181818181818, 3.9318181818181817,
    -2.5681818181818183, 0.43181818181818166, 0.43181818181818166, 8.931818181818182, -3.8181818181818183,
    0.9318181818181817,
  ],
  'winsorize(x, 0.1)': [3.5, 1.25, 1.25, -0.75, 7, 0.5, 3.5, 3.5, 7, -0.75, 4],
  'count()': FIGURES.map(() => 11),
};

describe('values across the market', () => {
  // Prices are above 0, so the figures are moved up and taken down again.
  const given = { series: onOneDay(FIGURES.map((figure) => figure + 100)) };

  it.each(Object.entries(PANDAS))('%s is that of pandas and numpy', async (text, expected) => {
    const { rows } = await valuesAt(given, text.replace('x', '(close - 100)'));
    for (const [i, figure] of rows[0].entries()) expect(figure).toBeCloseTo(expected[i], 12);
  });

  it('counts only peers whose argument is defined', async () => {
    const { rows } = await valuesAt(
      { series: [randomSeries(30, 1), randomSeries(10, 2), randomSeries(30, 3)] },
      'count()',
    );
    expect([rows[5], rows[20]]).toEqual([
      [3, 3, 3],
      [2, Number.NaN, 2],
    ]);
    const defined = await valuesAt(
      { series: [randomSeries(30, 1), randomSeries(10, 2)] },
      'rank(close / (close - close))',
    );
    expect(defined.rows[3]).toEqual([Number.NaN, Number.NaN]);
  });

  it('has no z-score of one value, nor of values that are equal but for a tie', async () => {
    expect((await valuesAt({ series: onOneDay([5]) }, 'zscore(close)')).rows[0]).toEqual([Number.NaN]);
    const equal = await valuesAt({ series: onOneDay([5, 5 * (1 + 1e-12)]) }, 'zscore(close)');
    expect(equal.rows[0]).toEqual([Number.NaN, Number.NaN]);
  });

  it('makes no order of rounding noise: equal values share a rank, and the ticker decides who is among the first', async () => {
    const noisy = { series: onOneDay([1 + 2e-13, 1, 1 + 1e-13, 0.5]) };
    expect((await valuesAt(noisy, 'rank(close)')).rows[0]).toEqual([0.75, 0.75, 0.75, 0.25]);
    expect((await valuesAt(noisy, 'close', 'top(close, 2)')).eligible[0]).toEqual([1, 1, 0, 0]);
    expect((await valuesAt(noisy, 'close', 'bottom(close, 2)')).eligible[0]).toEqual([1, 0, 0, 1]);
    expect((await valuesAt(noisy, 'close', 'not top(close, 2)')).eligible[0]).toEqual([0, 0, 1, 1]);
  });

  it('compares within a group', async () => {
    const grouped = { series: onOneDay([1, 2, 3, 4]), types: ['stock', 'etf', 'stock', 'etf'] };
    expect((await valuesAt(grouped, 'rank(close, asset_type)')).rows[0]).toEqual([0.5, 0.5, 1, 1]);
    expect((await valuesAt(grouped, 'close', 'top(close, 1, asset_type)')).eligible[0]).toEqual([0, 0, 1, 1]);
  });

  it('has as peers of a score those that meet `where`', async () => {
    const { rows } = await valuesAt({ series: onOneDay([1, 2, 3, 4]) }, 'rank(close)', 'close > 1.5');
    expect(rows[0]).toEqual([Number.NaN, 1 / 3, 2 / 3, 1]);
    const ranked = await valuesAt({ series: onOneDay([1, 2, 3, 4]) }, 'rank(close)', 'rank(close) > 0.3');
    expect(ranked.rows[0]).toEqual([Number.NaN, 1 / 3, 2 / 3, 1]);
  });

  it('has no member on the last bar of a delisted instrument', async () => {
    const given = { series: [randomSeries(5, 1), randomSeries(3, 2)], delisted: [1] };
    expect((await valuesAt(given, 'count()')).rows.map(([first]) => first)).toEqual([2, 2, 1, 1, 1]);
  });

  it('goes in time by the bars of each member, with the peers of their sessions', async () => {
    const whole = [randomSeries(40, 1), randomSeries(40, 2), randomSeries(40, 3)];
    // The second has no bars for a while.
    const gap = keepDays(whole[1], (day) => day < whole[1].day[10] || day > whole[1].day[14]);
    const series = [whole[0], gap, whole[2]];
    const ranks = await valuesAt({ series }, 'rank(close)');
    const lagged = await valuesAt({ series }, 'lag(rank(close), 3)');
    expect(lagged.rows[20][0]).toBe(ranks.rows[17][0]);
    // Three of its own bars before session 16 are sessions 15, 9, and 8.
    expect(lagged.rows[16][1]).toBe(ranks.rows[8][1]);
    const nested = await valuesAt({ series }, 'rank(sma_of(rank(close), 4))', 'for_bars(rank(close) > 0.2, 2)');
    const [mean] = [
      sma(
        ranks.rows.map(([first]) => first),
        20,
        4,
      ),
    ];
    expect(mean).toBeGreaterThan(0);
    expect(nested.rows[20][0]).toBeGreaterThan(0);
  });

  it('is the same for few sessions as for all of them', async () => {
    const given = { series: [1, 2, 3, 4, 5].map((seed) => randomSeries(60, seed)) };
    const sessions = sessionsOf(given);
    const programs = {
      where: [conditionOf('lag(rank(close), 2) > 0.2')],
      values: [valueNode('rank(highest_of(zscore(roc(3)), 5))')],
    };
    const evaluate = (asked: readonly number[]) => evaluateMarket(marketOf(given), programs, { sessions, asked });
    const all = await evaluate([...sessions.keys()]);
    const some = await evaluate([30, 41]);
    expect([...some.values[0]]).toEqual([...all.values[0].subarray(150, 155), ...all.values[0].subarray(205, 210)]);
  });
});

function sma(values: readonly number[], at: number, n: number): number {
  return values.slice(at + 1 - n, at + 1).reduce((sum, value) => sum + value, 0) / n;
}

/** By bar: beta and correlation of 12 returns, of numpy. */
const NUMPY: Readonly<Record<number, readonly [number, number]>> = {
  14: [0.21629612355483382, 0.2662857906455469],
  19: [0.07807234697166197, 0.0866956763633467],
  21: [0.04703780751632122, 0.04852530514161794],
  29: [-0.008531995517377565, -0.006682506404782709],
  39: [1.0814645051981686, 0.5367635986487677],
};

describe('values of another instrument', () => {
  const days = seriesOf(Array.from({ length: 40 }, () => 1)).day;
  const without = (series: BarSeries, bars: readonly number[]) =>
    keepDays(series, (day) => !bars.includes(days.indexOf(day)));
  const own = without(seriesOf(Array.from({ length: 40 }, (_, i) => 50 + ((i * i * 7919) % 101) / 10)), [10, 11]);
  const other = without(seriesOf(Array.from({ length: 40 }, (_, i) => 80 + ((i * i * i * 104729) % 97) / 10)), [20]);
  const others = new OtherInstruments(new Map([['SPY', { series: other, events: [] }]]), 'split');
  const columns = new HistoryColumns(new IndicatorSet(own), { others });
  const barOf = (session: number) => own.day.indexOf(days[session]);

  it('has beta and correlation of sessions at which both have a bar', () => {
    const [beta, correlation] = ["beta('SPY', 12)", "correlation('spy.us', 12)"].map((text) =>
      columns.value(valueNode(text)),
    );
    for (const [session, [slope, r]] of Object.entries(NUMPY)) {
      expect(beta[barOf(Number(session))]).toBeCloseTo(slope, 11);
      expect(correlation[barOf(Number(session))]).toBeCloseTo(r, 11);
    }
    expect(beta[barOf(13)]).toBeNaN();
    expect(beta[barOf(20)]).toBeNaN();
  });

  it('has neither where one of them does not move', () => {
    const flat = new OtherInstruments(
      new Map([['SPY', { series: seriesOf(Array.from(days, () => 7)), events: [] }]]),
      'split',
    );
    const still = new HistoryColumns(new IndicatorSet(own), { others: flat });
    expect([...still.value(valueNode("beta('SPY', 5)"))].every(Number.isNaN)).toBe(true);
  });

  it('is undefined where the other has no bar, and true or false elsewhere', () => {
    const value = columns.value(valueNode("of('SPY', close)"));
    expect(value[barOf(20)]).toBeNaN();
    expect(value[barOf(21)]).toBe(other.close[other.day.indexOf(days[21])]);
    const [isTrue, isFalse] = [true, false].map((wanted) =>
      columns.mask(compileCondition(expressionOf("of('SPY', close > 84)", 'condition'), wanted)),
    );
    expect([isTrue[barOf(20)], isFalse[barOf(20)]]).toEqual([0, 0]);
    expect(isTrue[barOf(21)] + isFalse[barOf(21)]).toBe(1);
  });

  it('is on the basis of each bar, whatever events of either come later', () => {
    const events: Adjustment[] = [
      { exDay: days[15], kind: 'split', factor: 0.25 },
      { exDay: days[30], kind: 'cash_dividend', factor: 0.98 },
    ];
    const ownEvents: Adjustment[] = [{ exDay: days[25], kind: 'split', factor: 0.5 }];
    const texts = [
      "of('SPY', close)",
      "sma_of(close / of('SPY', close), 6)",
      "lag(of('SPY', close), 3) - of('SPY', close + 1)",
      "highest_of(of('SPY', volume * close), 4)",
    ];
    const figureAt = (text: string, end: number, bar: number) => {
      const series = adjustToLastBar(sliceSeries(own, 0, end), ownEvents, 'total');
      const known = new OtherInstruments(new Map([['SPY', { series: other, events }]]), 'total');
      return new HistoryColumns(new IndicatorSet(series), { others: known }).known(valueNode(text))[bar];
    };
    for (const text of texts) {
      for (let bar = 8; bar < own.length; bar++) {
        const [then, later] = [figureAt(text, bar + 1, bar), figureAt(text, own.length, bar)];
        if (Number.isNaN(then)) expect(later).toBeNaN();
        else expect(Math.abs(later - then)).toBeLessThanOrEqual(1e-9 * Math.abs(then));
      }
    }
  });
});

describe('the instruments of a portfolio', () => {
  it('have the values of a market of them at each of their bars', async () => {
    const whole = [1, 2, 3, 4].map((seed) => randomSeries(40, seed));
    const gap = keepDays(whole[1], (day) => day < whole[1].day[10] || day > whole[1].day[14]);
    const given = { series: [whole[0], gap, whole[2], sliceSeries(whole[3], 0, 25)], delisted: [3] };
    const text = 'rank(zscore(roc(3))) + lag(demean(roc(2)), 2)';
    const node = valueNode(text);
    const peers = given.series.map((series, member) => ({
      indicators: new IndicatorSet(series),
      isDelisted: given.delisted.includes(member),
      groups: { asset_type: 'stock', venue: '' },
    }));
    const values = acrossIn([node]);
    expect(values).toHaveLength(2);
    compareWithPeers(peers, values, undefined);
    const { rows, eligible } = await valuesAt(given, text);
    const sessions = sessionsOf(given);
    for (const [member, { indicators }] of peers.entries()) {
      const column = new HistoryColumns(indicators).value(node);
      for (const [bar, day] of indicators.series.day.entries()) {
        const session = sessions.indexOf(day);
        if (eligible[session][member] === 1) expect([day, column[bar]]).toEqual([day, rows[session][member]]);
      }
    }
  });
});

describe('the language', () => {
  const problemOf = (...given: Parameters<typeof checked>) => {
    const found = checked(...given);
    return 'problems' in found ? found.problems.map(({ code, at }) => [code, at.from, at.to]) : [];
  };

  it.each([
    ['rank(close) > 0.5', 'value', 'peers', 'rule_needs_value', 0, 17],
    ['top(close, 5)', 'value', 'peers', 'rule_needs_value', 0, 13],
    ['close + rank(close)', 'value', 'none', 'rule_market_here', 8, 12],
    ["of('SPY', rank(close))", 'value', 'peers', 'rule_market_here', 10, 14],
    ['rank(rank(rank(rank(rank(close)))))', 'value', 'peers', 'rule_market_too_deep', 20, 24],
    ['rank(close, sector)', 'value', 'peers', 'rule_group_unknown', 12, 18],
    ['winsorize(close, 0.5)', 'value', 'peers', 'rule_argument_range', 17, 20],
    ['beta(close, 20)', 'value', 'peers', 'rule_argument_ticker', 5, 10],
    ["close > 'SPY'", 'condition', 'peers', 'rule_no_text_here', 8, 13],
    ["of('SPY', close) > close", 'condition', 'others', 'rule_only_others_here', 19, 24],
    ['close > of(‘SPY’, close)', 'condition', 'peers', 'rule_character_meant', 11, 12],
  ] as const)('refuses %s as a %s at its place', (text, result, market, code, from, to) => {
    expect(problemOf(text, result, market)).toContainEqual([code, from, to]);
  });

  it.each([
    ["OF('spy.us', SMA(200))", "of('SPY', sma(200))"],
    ['Rank(close, Venue)', 'rank(close, venue)'],
    ['zscore(close)', 'zscore(close)'],
    ['count()', 'count()'],
    ['winsorize(roc(20))', 'winsorize(roc(20), 0.01)'],
  ])('reads %s as %s', (text, printed) => {
    expect(printExpression(expressionOf(text, 'value'))).toBe(printed);
  });

  it('completes groups, and functions where they have a meaning', () => {
    const at = (text: string, market?: 'peers') => completionsAt(text, text.length, { mayUsePosition: false, market });
    expect(at('rank(close, ', 'peers').signs).toEqual(['asset_type', 'venue']);
    expect(at('rank(close, v', 'peers').signs).toEqual(['venue']);
    expect(at('zsc', 'peers').functions.map(({ name }) => name)).toEqual(['zscore']);
    expect(at('zsc').functions).toEqual([]);
    expect(at('corr').functions.map(({ name }) => name)).toEqual(['correlation']);
  });
});
