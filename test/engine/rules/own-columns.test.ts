/** Own columns in rules: each value as it was known at a close. */
import { describe, expect, it } from '@jest/globals';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { adjustToLastBar } from '../../../engine/market/adjust.ts';
import { isSession } from '../../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import type { ColumnFacts, OwnColumn } from '../../../engine/market/own-columns.ts';
import { allocateSeries, type BarSeries, sliceSeries } from '../../../engine/market/series.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { HistoryColumns } from '../../../engine/rules/columns.ts';
import { compileCondition, compileValue } from '../../../engine/rules/compile.ts';
import { completionsAt } from '../../../engine/rules/complete.ts';
import { evaluateMarket } from '../../../engine/rules/market-values.ts';
import { printExpression } from '../../../engine/rules/print.ts';
import { columnOf, type MadeRow } from '../../support/own-columns.ts';
import { lehmer } from '../../support/series.ts';

/** Sessions from 4 January 2021 on, at a close of 100. */
function barsFrom(length: number, own: Readonly<Record<string, OwnColumn>> = {}): BarSeries {
  const series = allocateSeries(length);
  let day = requireDay('2021-01-04');
  for (let i = 0; i < length; i++, day++) {
    while (!isSession(day)) day++;
    series.day[i] = day;
  }
  for (const name of ['open', 'high', 'low', 'close'] as const) series[name].fill(100);
  series.volume.fill(1_000);
  return { ...series, own: new Map(Object.entries(own)) };
}

function expressionOf(
  text: string,
  result: 'value' | 'condition',
  columns?: Readonly<Record<string, ColumnFacts>>,
  market: 'peers' | 'others' = 'peers',
) {
  const known = columns && new Map(Object.entries(columns));
  return checkRule(text, { result, market, mayUsePosition: false, parameters: null, columns: known });
}

function checked(...given: Parameters<typeof expressionOf>) {
  const found = expressionOf(...given);
  if ('problems' in found) throw new Error(`${given[0]}: ${JSON.stringify(found.problems)}`);
  return found.expression;
}

const problemsOf = (...given: Parameters<typeof expressionOf>) => {
  const found = expressionOf(...given);
  return 'problems' in found ? found.problems.map(({ code }) => code) : [];
};

const columnsOf = (series: BarSeries) => new HistoryColumns(new IndicatorSet(series));
const facts = ({ own }: BarSeries) => Object.fromEntries(own ?? []);

/** Null where it is undefined. */
const valuesOf = (series: BarSeries, text: string) =>
  Array.from(columnsOf(series).known(compileValue(checked(text, 'value', facts(series)))), (value) =>
    Number.isNaN(value) ? null : value,
  );
const holds = (series: BarSeries, text: string) =>
  [...columnsOf(series).mask(compileCondition(checked(text, 'condition', facts(series))))].join('');

// Sessions: 4, 5, 6, 7, 8, 11, 12 January 2021.
describe('the value of an own column', () => {
  it('is of the newest date that is known by the close', () => {
    const x = columnOf([
      ['2020-12-31', '2021-01-05', 1],
      ['2021-01-04', '2021-01-06', 2],
      ['2021-01-05', '2021-01-05', 3],
    ]);
    // The row that is seen on 6 January is about an older day.
    expect(valuesOf(barsFrom(4, { x }), "my('x')")).toEqual([null, 3, 3, 3]);
  });

  it('is put right from the moment on at which that is known, and ends with an empty value', () => {
    const x = columnOf([
      ['2020-12-31', '2021-01-04', 1],
      ['2020-12-31', '2021-01-06', 1.5],
      ['2021-01-07', '2021-01-08', null],
      ['2021-01-11', '2021-01-11', 4],
    ]);
    expect(valuesOf(barsFrom(6, { x }), "my('x')")).toEqual([1, 1, 1.5, 1.5, null, 4]);
  });

  it('is undefined when its date lies more sessions back than are allowed', () => {
    const rows: readonly MadeRow[] = [['2021-01-04', '2021-01-04', 7]];
    const series = barsFrom(5, { x: columnOf(rows), stale: columnOf(rows, { staleAfter: 1 }) });
    expect(valuesOf(series, "my('x', 2)")).toEqual([7, 7, 7, null, null]);
    expect(valuesOf(series, "my('x', 0)")).toEqual([7, null, null, null, null]);
    expect(valuesOf(series, "my('stale')")).toEqual([7, 7, null, null, null]);
    expect(valuesOf(series, "my('stale', 3)")).toEqual([7, 7, 7, 7, null]);
  });

  it('is of a forecast what was known last, whatever day it is about', () => {
    const rows: readonly MadeRow[] = [
      ['2021-12-31', '2021-01-06', 2],
      ['2022-12-31', '2021-01-05', 1],
      ['2022-12-31', '2021-01-07', 3],
    ];
    expect(valuesOf(barsFrom(4, { x: columnOf(rows, { about: 'later' }) }), "my('x')")).toEqual([null, 1, 2, 3]);
  });

  it('goes back in time by the bars of the instrument, and takes part in sums', () => {
    const x = columnOf([
      ['2021-01-04', '2021-01-04', 1],
      ['2021-01-06', '2021-01-06', 5],
    ]);
    expect(valuesOf(barsFrom(4, { x }), "my('x') - lag(my('x'), 1)")).toEqual([null, 0, 4, 0]);
  });

  it('does not depend on what is known later', () => {
    const random = lehmer(11);
    const pick = (days: Int32Array) => formatDay(days[Math.floor(random() * days.length)]);
    const { day } = barsFrom(60);
    const rows = Array.from({ length: 200 }, (): MadeRow => {
      const [a, b] = [pick(day), pick(day)].sort();
      return [a, b, random()];
    }).sort(([a, b], [c, d]) => (a + b < c + d ? -1 : 1));
    const whole = barsFrom(60, { x: columnOf(rows) });
    const all = valuesOf(whole, "my('x')");
    for (let to = 1; to <= 60; to++) expect(valuesOf(sliceSeries(whole, 0, to), "my('x')")).toEqual(all.slice(0, to));
    // A row that is seen on the day before it is known is found by the same comparison, wherever it stands.
    for (let place = 0; place < 100; place++) {
      const seen = 1 + Math.floor(random() * 58);
      const leak: MadeRow = [formatDay(day[seen]), formatDay(day[seen]), 1_000 + place];
      const leaking = { ...columnOf([...rows, leak].sort(([a, b], [c, d]) => (a + b < c + d ? -1 : 1))) };
      const early = { ...leaking, rows: { ...leaking.rows, seen: leaking.rows.seen.slice() } };
      const at = leaking.rows.value.indexOf(1_000 + place);
      const now = valuesOf(barsFrom(60, { x: leaking }), "my('x')");
      early.rows.seen[at] = day[seen - 1];
      early.rows.date[at] = day[seen - 1];
      expect(valuesOf(barsFrom(60, { x: early }), "my('x')")).not.toEqual(now);
    }
  });
});

describe('labels', () => {
  const sector = columnOf([
    ['2021-01-04', '2021-01-04', 'Tech'],
    ['2021-01-06', '2021-01-06', 'Energy'],
    ['2021-01-08', '2021-01-08', null],
  ]);

  it('are compared exactly, and undefined where there is none', () => {
    const series = barsFrom(6, { sector });
    expect(holds(series, "my('sector') = 'Tech'")).toBe('110000');
    expect(holds(series, "'Tech' != my('sector')")).toBe('001100');
    expect(holds(series, "not my('sector') = 'tech'")).toBe('111100');
    expect(holds(series, "my('sector') = 'Unheard of'")).toBe('000000');
  });

  it('are groups of the session, and who has none is compared with nobody', async () => {
    const labels = ['Tech', 'Tech', 'Energy', null, 'Energy'];
    const members = labels.map((label) =>
      barsFrom(2, { sector: columnOf([['2021-01-04', '2021-01-04', label]], { labels: ['Tech', 'Energy'] }) }),
    );
    for (const [i, { close }] of members.entries()) close.fill(10 + i);
    const market = {
      members: members.map(() => ({ asset_type: 'stock', venue: '' })),
      visit: () => members.map((series, member) => ({ member, series, isDelisted: false })),
    };
    const value = compileValue(checked("demean(close, my('sector'))", 'value', { sector }));
    const { values } = await evaluateMarket(
      market,
      { where: [], values: [value] },
      { sessions: members[0].day, asked: [1] },
    );
    expect([...values[0]]).toEqual([-0.5, 0.5, -1, Number.NaN, 1]);
  });
});

describe('dimensions', () => {
  const rows: readonly MadeRow[] = [['2021-01-04', '2021-01-04', 1_000]];
  const split = [{ exDay: requireDay('2021-01-06'), kind: 'split', factor: 0.5 }] as const;
  const dividend = [{ exDay: requireDay('2021-01-07'), kind: 'cash_dividend', factor: 0.9 }] as const;
  const own = {
    shares: columnOf(rows, { dimension: 'shares' }),
    price: columnOf(rows, { dimension: 'price' }),
    money: columnOf(rows, { dimension: 'money' }),
    none: columnOf(rows),
  };
  const traded = barsFrom(5, own);
  // 2:1 on 6 January: as traded, the price halves.
  traded.close.fill(50, 2);

  it.each(['split', 'total'] as const)('are carried over splits, with prices adjusted for %s', (mode) => {
    const series = adjustToLastBar(traded, [...split, ...dividend], mode);
    expect(valuesOf(series, "my('shares')")).toEqual([1_000, 1_000, 2_000, 2_000, 2_000]);
    expect(valuesOf(series, "my('price')")).toEqual([1_000, 1_000, 500, 500, 500]);
    expect(valuesOf(series, "my('money')")).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
    expect(valuesOf(series, "my('none')")).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
    for (const value of valuesOf(series, "my('shares') * close")) expect(value).toBeCloseTo(100_000, 6);
  });

  it('make no issuance of a split, and no sale of a dividend', () => {
    const series = adjustToLastBar(traded, [...split, ...dividend], 'total');
    expect(valuesOf(series, "my('shares') / lag(my('shares'), 1)").slice(1)).toEqual([1, 1, 1, 1]);
  });
});

describe('rules with own columns', () => {
  const number: ColumnFacts = { kind: 'number', isMarket: false, dimension: 'none' };
  const known = { x: number, sector: { ...number, kind: 'label' }, vix: { ...number, isMarket: true } } as const;

  it.each([
    ["my('y') > 1", ['rule_column_unknown']],
    ["my('sector') > 1", ['rule_column_of_labels']],
    ["my('x') = 'Tech'", ['rule_column_of_numbers']],
    ["rank(close, my('x')) > 0.5", ['rule_column_of_numbers']],
    ['my(x) > 1', ['rule_column_name']],
    ['my > 1', ['rule_needs_brackets']],
    ["my('x', 'y') > 1", ['rule_argument_constant']],
    ["my('x', 6000) > 1", ['rule_argument_range']],
    ["close = 'Tech'", ['rule_no_text_here']],
    ["'Tech' = 'Tech'", ['rule_no_text_here', 'rule_no_text_here']],
  ])('%s is refused', (text, codes) => {
    expect(problemsOf(text, 'condition', known)).toEqual(codes);
  });

  it('need no instrument for a column of the market only', () => {
    expect(problemsOf("my('vix') < lag(my('vix'), 5)", 'condition', known, 'others')).toEqual([]);
    expect(problemsOf("of('SPY', my('x') > 1)", 'condition', known, 'others')).toEqual([]);
    expect(problemsOf("my('x') > 1", 'condition', known, 'others')).toEqual(['rule_only_others_here']);
  });

  it.each([
    ["my('x') = 1", "1 = my('x')"],
    ["my('x') != 1", "not my('x') = 1"],
    ["my('sector') != 'Tech'", "not 'Tech' = my('sector')"],
    ["top(my('x', 5), 3, my('sector'))", "top(my('x',5),3,my('sector'))"],
  ])('%s is one tree with %s', (text, other) => {
    expect(checked(other, 'condition', known)).toEqual(checked(text, 'condition', known));
    const printed = printExpression(checked(text, 'condition', known));
    expect(checked(printed, 'condition', known)).toEqual(checked(text, 'condition', known));
  });

  it.each([
    ["my('s", ["'score'", "'sector'"], 3],
    ['close > 5 and my(', ["'score'", "'sector'", "'vix'"], 17],
    ["my('vi') > 5", ["'vix'"], 3],
  ])('complete the names of columns in %s', (text, signs, from) => {
    const names = ['score', 'sector', 'vix'];
    const cursor = text.includes(')') ? text.indexOf("')") : text.length;
    const place = { mayUsePosition: false, market: 'peers' } as const;
    expect(completionsAt(text, cursor, place, names)).toMatchObject({ signs, at: { from } });
  });

  it('compare numbers by the ties of prices, and are undefined where a side is', () => {
    const x = columnOf([
      ['2021-01-05', '2021-01-05', 0.1 + 0.2],
      ['2021-01-06', '2021-01-06', 0.31],
    ]);
    const series = barsFrom(3, { x });
    expect(holds(series, "my('x') = 0.3")).toBe('010');
    expect(holds(series, "my('x') != 0.3")).toBe('001');
  });
});
