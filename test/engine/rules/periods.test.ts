/** Values over whole months and weeks: months are over by the calendar, and each day has the basis of its own. */
import { describe, expect, it } from '@jest/globals';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { type Adjustment, adjustToLastBar } from '../../../engine/market/adjust.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { type Day, formatDay, requireDay } from '../../../engine/market/dates.ts';
import { type BarSeries, firstIndexFrom, keepDays, sliceSeries } from '../../../engine/market/series.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { HistoryColumns } from '../../../engine/rules/columns.ts';
import { compileValue } from '../../../engine/rules/compile.ts';
import { longestPeriodOf } from '../../../engine/rules/lookback.ts';
import { OtherInstruments } from '../../../engine/rules/other-instruments.ts';
import { readRules } from '../../../engine/rules/strategy.ts';
import { columnOf } from '../../support/own-columns.ts';
import { randomSeries } from '../../support/series.ts';

const DAYS = Int32Array.from(sessionsBetween(requireDay('2024-01-02'), requireDay('2024-06-14')));
const onSessions = (seed: number): BarSeries => ({ ...randomSeries(DAYS.length, seed), day: DAYS });
const own = onSessions(1);
const other = onSessions(2);
const within = (start: string, end: string) => (day: Day) => day >= requireDay(start) && day <= requireDay(end);

function nodeOf(text: string) {
  const checked = checkRule(text, { result: 'value', market: 'peers', mayUsePosition: true, parameters: null });
  if ('problems' in checked) throw new Error(`${text}: ${JSON.stringify(checked.problems)}`);
  return compileValue(checked.expression);
}

/** The values as they are known, by day. */
function knownOf(series: BarSeries, text: string, others?: OtherInstruments): Map<string, number> {
  const column = new HistoryColumns(new IndicatorSet(series), { others }).known(nodeOf(text));
  return new Map(Array.from(series.day, (day, t) => [formatDay(day), column[t]]));
}

const closeOn = (series: BarSeries, day: string) => series.close[firstIndexFrom(series, requireDay(day))];

describe('a month', () => {
  it('changes a value on its last session, and on no other day', () => {
    const closes = knownOf(own, 'monthly(close)');
    expect(closes.get('2024-01-30')).toBeNaN();
    // Good Friday is on the 29th of March.
    for (const [day, end] of [
      ['2024-01-31', '2024-01-31'],
      ['2024-02-28', '2024-01-31'],
      ['2024-02-29', '2024-02-29'],
      ['2024-03-27', '2024-02-29'],
      ['2024-03-28', '2024-03-28'],
      ['2024-06-14', '2024-05-31'],
    ]) {
      expect([day, closes.get(day)]).toEqual([day, closeOn(own, end)]);
    }
  });

  it('is over by the calendar where the instrument has no bar on its last session', () => {
    const gap = keepDays(own, (day) => !within('2024-02-27', '2024-03-04')(day));
    expect(knownOf(gap, 'monthly(close)').get('2024-03-05')).toBe(closeOn(own, '2024-02-26'));
  });

  it('has the close before, and no volume, where it has no bar', () => {
    const gap = keepDays(own, (day) => !within('2024-02-01', '2024-03-31')(day));
    const at = (text: string) => knownOf(gap, text).get('2024-04-01');
    const january = closeOn(own, '2024-01-31');
    expect([at('monthly(close)'), at('monthly(high)'), at('monthly(volume)')]).toEqual([january, january, 0]);
    expect(at('monthly(lag(close, 2))')).toBe(january);
    expect(at('monthly(lag(close, 3))')).toBeNaN();
  });

  it('counts a bar after its last session to the next one', () => {
    const stray = {
      ...own,
      day: own.day.map((day) => (formatDay(day) === '2024-04-01' ? requireDay('2024-03-29') : day)),
    };
    const closes = knownOf(stray, 'monthly(close)');
    expect([closes.get('2024-03-28'), closes.get('2024-03-29')]).toEqual([
      closeOn(own, '2024-03-28'),
      closeOn(own, '2024-03-28'),
    ]);
    expect(knownOf(stray, 'monthly(open)').get('2024-04-30')).toBe(
      own.open[firstIndexFrom(own, requireDay('2024-04-01'))],
    );
  });

  it('has the value of an own column at its last session', () => {
    const column = columnOf([
      ['2024-02-28', '2024-02-29', 7],
      ['2024-03-01', '2024-03-04', 8],
    ]);
    const series = { ...own, own: new Map([['score', column]]) };
    expect(knownOf(series, "monthly(my('score'))").get('2024-03-15')).toBe(7);
  });

  it('of another instrument is the same one', () => {
    const late = sliceSeries(
      keepDays(other, (day) => formatDay(day) !== '2024-02-29'),
      0,
      other.length - 1,
    );
    const others = new OtherInstruments(new Map([['SPY', { series: late, events: [] }]]), 'none');
    const closes = knownOf(own, "monthly(of('SPY', close))", others);
    expect([closes.get('2024-02-28'), closes.get('2024-02-29')]).toEqual([
      closeOn(other, '2024-01-31'),
      closeOn(other, '2024-02-28'),
    ]);
  });
});

describe('at every day', () => {
  const events: Adjustment[] = [
    { exDay: requireDay('2024-02-13'), kind: 'split', factor: 0.25 },
    { exDay: requireDay('2024-03-13'), kind: 'cash_dividend', factor: 0.98 },
    { exDay: requireDay('2024-04-15'), kind: 'split', factor: 2 },
  ];
  const otherEvents: Adjustment[] = [{ exDay: requireDay('2024-03-20'), kind: 'split', factor: 0.5 }];

  it.each([
    'monthly(close)',
    'monthly(close + 1)',
    'monthly(lag(close + open * 0.5, 1) / volume)',
    'monthly(if(close > 100, high, low))',
    'monthly(count_of(close > lag(close, 1) + 2, 2))',
    'monthly(dollar_volume)',
    'monthly(dividend + 0.001)',
    "monthly(of('SPY', close) / close)",
    "monthly(of('SPY', close + 1) - 1)",
    "monthly(beta('SPY', 3))",
    'weekly(sma_of(close, 3)) - weekly(close)',
    "of('SPY', weekly(close + volume))",
    'lag(monthly(close + 1), 5)',
  ])('%s is that of the history that ends there', (text) => {
    const at = (end: number) => {
      const series = adjustToLastBar(sliceSeries(own, 0, end), events, 'total');
      const others = new OtherInstruments(new Map([['SPY', { series: other, events: otherEvents }]]), 'total');
      return [...knownOf(series, text, others).values()];
    };
    const whole = at(own.length);
    let defined = 0;
    for (let t = 0; t < own.length; t++) {
      const [then, later] = [at(t + 1)[t], whole[t]];
      if (Number.isNaN(then)) expect([t, later]).toEqual([t, Number.NaN]);
      else expect(Math.abs(later - then)).toBeLessThanOrEqual(1e-9 * Math.abs(then));
      defined += Number(!Number.isNaN(then));
    }
    expect(defined).toBeGreaterThan(30);
  });

  it('prices of a month before a split are on the basis of the day', () => {
    const closes = knownOf(adjustToLastBar(own, events, 'split'), 'monthly(close)');
    const january = closeOn(own, '2024-01-31');
    expect(closes.get('2024-02-12')).toBeCloseTo(january, 9);
    expect(closes.get('2024-02-13')).toBeCloseTo(january / 4, 9);
  });
});

it('has a look-back in days', () => {
  const longest = (entry: string) => {
    const read = readRules({ entry });
    return 'rules' in read ? longestPeriodOf(read.rules, {}) : 0;
  };
  expect(longest('monthly(lag(roc(11), 1)) > 0')).toBe(11 * 23);
  expect(longest('weekly(close) > sma(3)')).toBe(5);
});

describe('the language', () => {
  it.each([
    ['monthly(rank(close))', 'rule_period_around', 8, 12],
    ['monthly(weekly(close))', 'rule_period_around', 8, 14],
    ['weekly(entry_price)', 'rule_position_here', 7, 18],
    ['monthly(close > 1)', 'rule_needs_value', 8, 17],
  ] as const)('refuses %s at its place', (text, code, from, to) => {
    const found = checkRule(text, { result: 'value', market: 'peers', mayUsePosition: true, parameters: null });
    expect(found).toMatchObject({ problems: [{ code, at: { from, to } }] });
  });

  it('allows rank(monthly(x)), and keeps the canonical form of what there was before', () => {
    expect(nodeOf('rank(monthly(close))').across).toBe(1);
    const formOf = (text: string) =>
      checkRule(text, { result: 'value', market: 'peers', mayUsePosition: false, parameters: null });
    expect(formOf('dollar_volume')).toEqual({ expression: ['*', ['close'], ['volume']] });
    expect(formOf('monthly(dollar_volume)')).toEqual({ expression: ['monthly', ['dollar_volume']] });
    expect(formOf("beta('SPY', 60, 1)")).toEqual({ expression: ['beta', ["'", 'SPY'], 60] });
    expect(formOf("beta('SPY', 60, 3)")).toEqual({ expression: ['beta', ["'", 'SPY'], 60, 3] });
  });
});
