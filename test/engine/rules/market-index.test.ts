/** The index of a universe, as rules name it. */
import { describe, expect, it } from '@jest/globals';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { type Adjustment, adjustToLastBar } from '../../../engine/market/adjust.ts';
import { type BarSeries, keepDays, sliceSeries } from '../../../engine/market/series.ts';
import { type CheckOptions, checkRule } from '../../../engine/rules/check.ts';
import { HistoryColumns } from '../../../engine/rules/columns.ts';
import { compileCondition, compileValue } from '../../../engine/rules/compile.ts';
import { MarketIndex } from '../../../engine/rules/market-index.ts';
import { evaluateMarket, type Market } from '../../../engine/rules/market-values.ts';
import { OtherInstruments } from '../../../engine/rules/other-instruments.ts';
import { columnOf } from '../../support/own-columns.ts';
import { randomSeries, seriesOf } from '../../support/series.ts';

/** Four sessions from Monday, 2025-01-06, on. */
const whole = seriesOf([10, 20, 30, 60]);
const [d0, d1, d2, d3] = whole.day;
const gap = keepDays(seriesOf([100, 110, 0.5, 165]), (day) => day !== d2);
const late = keepDays(seriesOf([1, 8, 4, 2]), (day) => day >= d1);

function levelsOf(ticker: string, members: readonly BarSeries[], sessions = whole.day): number[] {
  const index = new MarketIndex(ticker, sessions);
  for (const series of members) index.add(series);
  return [...index.end().series.close];
}

describe('an index', () => {
  it('is chained from 100 by the mean change of the members with a bar, from their own close before', () => {
    // 100 %, 10 %; 50 %, -50 %; 100 %, 50 % over two sessions, -50 %.
    expect(levelsOf('@market', [whole, gap, late])).toEqual([100, 155, 155, expect.closeTo(155 * (1 + 1 / 3), 9)]);
  });

  it('begins with the first bar of a member, and has a bar at each session from then on', () => {
    const sessions = Int32Array.of(d0 - 3, ...whole.day);
    expect(levelsOf('@market', [late], sessions)).toEqual([100, 50, 25]);
    expect(levelsOf('@market', [keepDays(whole, (day) => day !== d2)])).toEqual([100, 200, 200, 600]);
  });

  it('is weighted by an own column at the session before', () => {
    const weights = (rows: Parameters<typeof columnOf>[0], facts?: Parameters<typeof columnOf>[1]) =>
      new Map([['cap', columnOf(rows, facts)]]);
    const a = {
      ...whole,
      own: weights([
        ['2025-01-06', '2025-01-06', 1],
        ['2025-01-07', '2025-01-08', 5],
      ]),
    };
    const b = { ...late, own: weights([['2025-01-06', '2025-01-06', 3]]) };
    const none = { ...gap, own: weights([['2025-01-06', '2025-01-06', 0]]) };
    // 100 %; (50 % - 3 × 50 %) ÷ 4; (5 × 100 % - 3 × 50 %) ÷ 8.
    expect(levelsOf('@market:cap', [a, b, none])).toEqual([100, 200, 150, expect.closeTo(150 * (1 + 3.5 / 8), 9)]);
  });

  it('is weighted by shares × close as they were known, whatever splits and dividends come later', () => {
    const column = (shares: number) =>
      new Map([['cap', columnOf([['2025-01-06', '2025-01-06', shares]], { dimension: 'shares' })]]);
    const a = { ...seriesOf([10, 11, 12, 4]), own: column(100) };
    const b = { ...seriesOf([50, 45, 50, 55]), own: column(60) };
    const split: Adjustment[] = [{ exDay: d3, kind: 'split', factor: 0.25 }];
    const paid: Adjustment[] = [{ exDay: d3, kind: 'cash_dividend', factor: 0.5 }];
    const levels = levelsOf('@market:cap', [adjustToLastBar(a, split), adjustToLastBar(b, paid, 'total')]);
    const first = (1000 * 0.1 - 3000 * 0.1) / 4000;
    const second = (1100 * (1 / 11) + 2700 * (1 / 9)) / 3800;
    // Four times the shares at a quarter of the price: 3 becomes 4. Half of 50 is paid, and 25 becomes 55.
    const third = (1200 * (1 / 3) + 3000 * (55 / 25 - 1)) / 4200;
    const expected = [1, 1 + first, (1 + first) * (1 + second), (1 + first) * (1 + second) * (1 + third)];
    expect(levels).toEqual(expected.map((level) => expect.closeTo(100 * level, 9)));
  });
});

/** `delisted`: a member. */
function marketOf(series: readonly BarSeries[], delisted?: number): Market {
  return {
    members: series.map(() => ({ asset_type: 'stock', venue: '' })),
    visit: () => series.map((one, member) => ({ member, series: one, isDelisted: member === delisted })),
  };
}

function nodeOf(text: string) {
  const checked = checkRule(text, { result: 'value', market: 'peers', mayUsePosition: false, parameters: null });
  if ('problems' in checked) throw new Error(`${text}: ${JSON.stringify(checked.problems)}`);
  return compileValue(checked.expression);
}

describe('values of a market', () => {
  const members = [randomSeries(60, 1), sliceSeries(randomSeries(50, 2), 0, 50), randomSeries(60, 3)];
  const sessions = members[0].day;

  it('read its index as another instrument, of all members whether they meet `where` or not', async () => {
    const index = new MarketIndex('@market', sessions);
    for (const series of members) index.add(series);
    const others = new OtherInstruments(new Map([['SPY', index.end()]]), 'none');
    const texts = ["beta('SPY', 20)", "of('SPY', sma(10)) + idio_volatility('SPY', 20)", "monthly(of('SPY', close))"];
    const where = checkRule('close > 0 and not bottom(close, 1)', {
      result: 'condition',
      market: 'peers',
      mayUsePosition: false,
      parameters: null,
    });
    if ('problems' in where) throw new Error(JSON.stringify(where.problems));
    const programs = {
      where: [compileCondition(where.expression)],
      values: texts.map((text) => nodeOf(text.replaceAll('SPY', '@market'))),
    };
    const asked = [30, 49, 59];
    const { values, eligible } = await evaluateMarket(marketOf(members, 1), programs, { sessions, asked });
    for (const [k, text] of texts.entries()) {
      for (const [member, series] of members.entries()) {
        const column = new HistoryColumns(new IndicatorSet(series), { others }).value(nodeOf(text));
        for (const [row, session] of asked.entries()) {
          const at = row * members.length + member;
          expect([text, values[k][at]]).toEqual([text, eligible[at] === 1 ? column[session] : Number.NaN]);
        }
      }
    }
    expect(eligible.filter((flag) => flag === 1).length).toBe(4);
  });

  it('do not change when later bars are cut off', async () => {
    const at = async (end: number) => {
      const cut = members.map((series) => sliceSeries(series, 0, Math.min(end, series.length)));
      const asked = [39];
      const programs = { where: [], values: [nodeOf("beta('@market', 20)")] };
      const { values } = await evaluateMarket(marketOf(cut), programs, { sessions: sessions.subarray(0, end), asked });
      return [...values[0]];
    };
    expect(await at(40)).toEqual(await at(60));
  });
});

describe('the language', () => {
  const columns: NonNullable<CheckOptions['columns']> = new Map([
    ['cap', { kind: 'number', isMarket: false, dimension: 'shares' }],
    ['sector', { kind: 'label', isMarket: false, dimension: 'none' }],
  ]);

  it.each([
    ["beta('@market', 20)", 'value', undefined, 'rule_index_here', 5, 14],
    ["beta('@cap', 20)", 'value', 'peers', 'rule_index_unknown', 5, 11],
    ["beta('@market:', 20)", 'value', 'peers', 'rule_index_unknown', 5, 15],
    ["of('@market:size', close)", 'value', 'peers', 'rule_column_unknown', 3, 17],
    ["of('@market:sector', close)", 'value', 'peers', 'rule_column_of_labels', 3, 19],
  ] as const)('refuses %s as a %s at its place', (text, result, market, code, from, to) => {
    const found = checkRule(text, { result, market, columns, mayUsePosition: false, parameters: null });
    expect(found).toMatchObject({ problems: [{ code, at: { from, to } }] });
  });

  it('names the column of weights, and no ticker', () => {
    const [tickers, named] = [new Map(), new Set<string>()];
    const options = { result: 'condition', market: 'others', mayUsePosition: false, parameters: null } as const;
    const found = checkRule("of('@MARKET:cap', close > sma(50))", { ...options, columns, tickers, named });
    expect(found).toEqual({ expression: ['of', ["'", '@market:cap'], ['>', ['close'], ['sma', 50]]] });
    expect([[...tickers], [...named]]).toEqual([[], ['cap']]);
  });
});
