/** Every function of the rules on eight bars whose figures were computed with pencil and paper. */
import { expect, it } from '@jest/globals';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { dayOf } from '../../../engine/market/dates.ts';
import { allocateSeries, type BarSeries } from '../../../engine/market/series.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { HistoryColumns, PositionColumns } from '../../../engine/rules/columns.ts';
import { compileCondition, compileValue } from '../../../engine/rules/compile.ts';
import { ACROSS } from '../../../engine/rules/functions/across.ts';
import { RULE_FUNCTIONS } from '../../../engine/rules/functions/catalogue.ts';
import { OtherInstruments } from '../../../engine/rules/other-instruments.ts';
import { keysOf, required } from '../../../engine/util/values.ts';
import { columnOf as columnOfRows } from '../../support/own-columns.ts';

/** Monday, January 29, to Wednesday, February 7, 2024. */
const DAYS = [29, 30, 31, 32, 33, 36, 37, 38].map((day) => dayOf(2024, 1, 1) + day - 1);
const BARS = {
  open: [10, 11, 12, 13, 11, 11, 13, 15],
  high: [12, 13, 14, 14, 11, 13, 16, 18],
  low: [9, 10, 11, 11, 10, 10, 13, 14],
  close: [11, 12, 13, 12, 10, 12, 15, 16],
  volume: [100, 200, 300, 400, 500, 600, 700, 800],
};
/** Closes of another instrument, whose log returns are -ln 2 and ln 2 in turn. */
const ZIGZAG = [20, 10, 20, 10, 20, 10, 20, 10];
/** And of one whose log returns are ln 2 or 0. */
const STEPS = [1, 2, 2, 2, 4, 8, 8, 8];

function seriesOf(columns: Partial<typeof BARS>): BarSeries {
  const series = allocateSeries(DAYS.length);
  series.day.set(DAYS);
  for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) series[name].set(columns[name] ?? ZIGZAG);
  return series;
}

const others = new OtherInstruments(
  new Map([
    ['ZZ', { series: seriesOf({}), events: [] }],
    ['STEPS', { series: seriesOf({ close: STEPS }), events: [] }],
  ]),
  'none',
);
const score = columnOfRows([
  ['2024-01-29', '2024-01-30', 7],
  ['2024-02-02', '2024-02-05', 9],
]);
const bars = {
  ...seriesOf(BARS),
  own: new Map([['score', score]]),
  listedOn: dayOf(2023, 11, 30),
  dividends: [{ exDay: DAYS[2], factor: 0.75 }],
};
const history = new HistoryColumns(new IndicatorSet(bars), { others });
/** Bought at the open of the fourth bar. */
const position = new PositionColumns(history, { from: 3, entryPrice: 13 }, DAYS.length);

/** The column of a rule; a condition is 1 where it is true. */
function columnOf(text: string, result: 'value' | 'condition', columns: HistoryColumns | PositionColumns): number[] {
  const checked = checkRule(text, { result, mayUsePosition: true, parameters: null });
  if ('problems' in checked) throw new Error(`${text}: ${JSON.stringify(checked.problems)}`);
  if (result === 'value') return [...columns.value(compileValue(checked.expression))];
  return [...columns.mask(compileCondition(checked.expression))];
}

const _ = Number.NaN;
const { log, sqrt } = Math;
const year = 100 * sqrt(252 / 2);

/** The correlation of the logarithms of three ratios with -1, 1, -1. */
function besideZigzag(...ratios: readonly [number, number, number]): number {
  const [a, b, c] = ratios.map(log);
  const mean = (a + b + c) / 3;
  return (2 * b - a - c) / sqrt(6 * ((a - mean) ** 2 + (b - mean) ** 2 + (c - mean) ** 2));
}

/** Logarithms of each close ÷ the close before, from the second bar on. */
const [r1, r2, r3, r4, r5, r6, r7] = BARS.close.slice(1).map((close, t) => log(close / BARS.close[t]));

/** The share of the squares about their mean that a figure for the first two of three values leaves. */
function unexplained(a: number, b: number, other: number): number {
  const mean = (a + b + other) / 3;
  return (a - b) ** 2 / 2 / ((a - mean) ** 2 + (b - mean) ** 2 + (other - mean) ** 2);
}

const VALUES: readonly (readonly [string, readonly number[]])[] = [
  ['open', BARS.open],
  ['high', BARS.high],
  ['low', BARS.low],
  ['close', BARS.close],
  ['volume', BARS.volume],
  ['dollar_volume', [1100, 2400, 3900, 4800, 5000, 7200, 10_500, 12_800]],
  ['day_of_week', [1, 2, 3, 4, 5, 1, 2, 3]],
  ['month', [1, 1, 1, 2, 2, 2, 2, 2]],
  ['dividend', [0, 0, 3, 0, 0, 0, 0, 0]],
  ['age', [2, 2, 2, 3, 3, 3, 3, 3]],
  ['sma(2)', [_, 11.5, 12.5, 12.5, 11, 11, 13.5, 15.5]],
  ['ema(3)', [_, _, 12, 12, 11, 11.5, 13.25, 14.625]],
  ['rsi(2)', [_, _, 100, 50, 100 / 6, 450 / 7, 1650 / 19, 2450 / 27]],
  ['atr(2)', [_, _, 3, 3, 2.5, 2.75, 3.375, 3.6875]],
  ['roc(2)', [_, _, 200 / 11, 0, -300 / 13, 0, 50, 100 / 3]],
  ['volatility(2)', [_, _, ...[144 / 143, 169 / 144, 144 / 130, 1.44, 25 / 24, 75 / 64].map((x) => year * log(x))]],
  ['highest(2)', [_, _, 13, 14, 14, 14, 13, 16]],
  ['lowest(2)', [_, _, 9, 10, 11, 10, 10, 10]],
  ['macd(2, 3)', [_, _, 1 / 2, 1 / 6, -5 / 18, 2 / 27, 197 / 324, 1285 / 1944]],
  ['macd_signal(2, 3, 2)', [_, _, _, 1 / 3, -2 / 27, 2 / 81, 67 / 162, 1687 / 2916]],
  ['bollinger_upper(2, 2)', [_, 12.5, 13.5, 13.5, 13, 13, 16.5, 16.5]],
  ['bollinger_lower(2, 3)', [_, 10, 11, 11, 8, 8, 9, 14]],
  ['sma_of(volume, 3)', [_, _, 200, 300, 400, 500, 600, 700]],
  ['highest_of(close, 3)', [_, _, 13, 13, 13, 12, 15, 16]],
  ['lowest_of(close, 3)', [_, _, 11, 12, 10, 10, 10, 12]],
  ['stdev_of(close, 2)', [_, 0.5, 0.5, 0.5, 1, 1, 1.5, 0.5]],
  ['slope_of(close, 3)', [_, _, 1, 0, -1.5, 0, 2.5, 2]],
  [
    'skewness_of(close, 3)',
    [_, _, 0, sqrt(1 / 2), -10 / (7 * sqrt(14)), -sqrt(1 / 2), 28 / (19 * sqrt(38)), -35 / (13 * sqrt(26))],
  ],
  ['lag(close, 2)', [_, _, 11, 12, 13, 12, 10, 12]],
  ['abs(close - 12)', [1, 0, 1, 0, 2, 0, 3, 4]],
  ['min(open, close)', [10, 11, 12, 12, 10, 11, 13, 15]],
  ['max(open, close)', [11, 12, 13, 13, 11, 12, 15, 16]],
  ['ln(12 - close)', [0, _, _, _, log(2), _, _, _]],
  ['sqrt(12 - close)', [1, 0, _, 0, sqrt(2), 0, _, _]],
  ['if(close > 12, close, 0)', [0, 0, 13, 0, 0, 0, 15, 16]],
  ['if(lag(close, 1) > 11.5, close)', [_, _, 13, 12, 10, _, 15, 16]],
  ['if(lag(close, 1) > 11.5, 1, 2)', [_, 2, 1, 1, 1, 2, 1, 1]],
  ['count_of(close > 11, 3)', [_, _, 2, 3, 2, 2, 2, 3]],
  ['count_of(lag(close, 1) > 11.5, 2)', [_, 0, 1, 2, 2, 1, 1, 2]],
  // January ends on the third bar, the week on the fifth.
  ['monthly(close + open)', [_, _, 23, 23, 23, 23, 23, 23]],
  ['monthly(volume)', [_, _, 600, 600, 600, 600, 600, 600]],
  ['monthly(dollar_volume)', [_, _, 7400, 7400, 7400, 7400, 7400, 7400]],
  ['weekly(high - low)', [_, _, _, _, 5, 5, 5, 5]],
  ['weekly(dividend)', [_, _, _, _, 3, 3, 3, 3]],
  ["of('ZZ', close)", ZIGZAG],
  ["my('score')", [_, 7, 7, 7, 7, 9, 9, 9]],
  [
    "beta('ZZ', 2)",
    [_, _, ...[143 / 144, 169 / 144, 130 / 144, 1 / 1.44, 25 / 24, 75 / 64].map((x) => log(x) / log(4))],
  ],
  ["beta('STEPS', 2, 2)", [_, _, _, ...[13 / 11, 10 / 13, 1.3, 1 / 1.5, 1.125].map((x) => log(x) / log(2))]],
  [
    "idio_volatility('ZZ', 3)",
    [_, _, _, ...[r1 - r3, r2 - r4, r3 - r5, r4 - r6, r5 - r7].map((x) => 50 * sqrt(252) * Math.abs(x))],
  ],
  [
    "coskewness('ZZ', 3)",
    [
      ...[_, _, _],
      besideZigzag(12 / 11, 13 / 12, 12 / 13) / sqrt(2),
      besideZigzag(13 / 12, 12 / 13, 10 / 12) / sqrt(2),
      besideZigzag(12 / 13, 10 / 12, 12 / 10) / sqrt(2),
      besideZigzag(10 / 12, 12 / 10, 15 / 12) / sqrt(2),
      besideZigzag(12 / 10, 15 / 12, 16 / 15) / sqrt(2),
    ],
  ],
  // Three pairs of returns, of the session and of the one before, are explained in whole.
  [
    "delay('STEPS', 3, 1)",
    [
      ...[_, _, _, _],
      ...[unexplained(r2, r3, r4), unexplained(r4, r5, r3), unexplained(r4, r5, r6), unexplained(r6, r7, r5)],
    ],
  ],
  [
    "delay_slope('STEPS', 3, 1)",
    [
      ...[_, _, _, _],
      (r2 - r3) / (r2 - r3 + r4 - r3),
      (r5 - r4) / (r5 - r3),
      (r5 - r4) / (r5 - r4 + r5 - r6),
      (r6 - r7) / (r5 - r7),
    ],
  ],
  ["delay('ZZ', 3, 1)", DAYS.map(() => _)],
  ["correlation('ZZ', 2)", [_, _, -1, 1, -1, -1, 1, 1]],
  [
    "correlation('ZZ', 3)",
    [
      ...[_, _, _],
      besideZigzag(12 / 11, 13 / 12, 12 / 13),
      -besideZigzag(13 / 12, 12 / 13, 10 / 12),
      besideZigzag(12 / 13, 10 / 12, 12 / 10),
      -besideZigzag(10 / 12, 12 / 10, 15 / 12),
      besideZigzag(12 / 10, 15 / 12, 16 / 15),
    ],
  ],
];

const CONDITIONS: typeof VALUES = [
  ['between(close, 11, 13)', [1, 1, 1, 1, 0, 1, 0, 0]],
  ['crosses_above(close, 12)', [0, 0, 1, 0, 0, 0, 1, 0]],
  ['crosses_below(close, 12)', [0, 0, 0, 0, 1, 0, 0, 0]],
  ['for_bars(close > 11, 2)', [0, 0, 1, 1, 0, 0, 1, 1]],
  ['within_bars(close < 11, 2)', [0, 0, 0, 0, 1, 1, 0, 0]],
];

const OF_POSITIONS: typeof VALUES = [
  ['entry_price', [13, 13, 13, 13, 13]],
  ['bars_held', [1, 2, 3, 4, 5]],
  ['pnl_pct', [-1, -3, -1, 2, 3].map((gain) => (100 * gain) / 13)],
  ['peak', [14, 14, 14, 16, 18]],
  ['trough', [11, 10, 10, 10, 10]],
  ['peak_close', [13, 13, 13, 15, 16]],
  ['trough_close', [12, 10, 10, 10, 10]],
];

/** Values of four instruments, by ticker. */
const PEERS = [3, 1, 2, 2];
const AMONG_PEERS: Readonly<Record<keyof typeof ACROSS, readonly [number, readonly number[]]>> = {
  rank: [0, [1, 0.25, 0.625, 0.625]],
  zscore: [0, [sqrt(1.5), -sqrt(1.5), 0, 0]],
  demean: [0, [1, -1, 0, 0]],
  winsorize: [0.25, [2.25, 1.75, 2, 2]],
  count: [0, [4, 4, 4, 4]],
  top: [2, [1, 0, 1, 0]],
  bottom: [2, [0, 1, 1, 0]],
};

function expectFigures(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toEqual(expected.map((figure) => (Number.isNaN(figure) ? _ : expect.closeTo(figure, 10))));
}

it.each(VALUES)('%s', (text, figures) => expectFigures(columnOf(text, 'value', history), figures));
it.each(CONDITIONS)('%s', (text, figures) => expectFigures(columnOf(text, 'condition', history), figures));
it.each(OF_POSITIONS)('%s', (text, figures) => expectFigures(columnOf(text, 'value', position), figures));
it.each(keysOf(ACROSS))('%s', (name) => {
  const [constant, figures] = AMONG_PEERS[name];
  expectFigures([...ACROSS[name].across(Float64Array.from(PEERS), constant)], figures);
});

it('has every function', () => {
  const calls = [...VALUES, ...CONDITIONS, ...OF_POSITIONS].map(([text]) => required(/^\w+/.exec(text))[0]);
  expect([...new Set([...calls, ...Object.keys(AMONG_PEERS)])].sort()).toEqual(
    RULE_FUNCTIONS.map(({ name }) => name).sort(),
  );
});
