/** Indicators of the bars. Their mathematics is in `indicators/indicators.ts`. */
import type { IndicatorSet } from '../../indicators/indicator-set.ts';
import { NO_DIMENSION, PRICE } from '../../market/basis.ts';
import { text } from '../../util/localized-text.ts';
import { type Column, type ConstantArgument, type Entry, family, type IndicatorFunction, period } from './function.ts';

const WILDER = 'Wilder, 1978';
const APPEL = 'Appel, 1979';
const BOLLINGER = 'Bollinger, 2001';

const multiple = (value: number): ConstantArgument => ({ name: 'k', kind: 'number', min: 0, max: 100, default: value });

/** A window has figures of carried means from its second bar on. */
const CARRIED: IndicatorFunction['window'] = { carried: ([n]) => [n], bars: () => 2 };

/** The largest allowed weight of an unknown start of a mean. */
const FORGOTTEN = 1e-10;

function barsToForget(n: number): number {
  const kept = 1 - 2 / (n + 1);
  return Math.ceil(n + (kept === 0 ? 0 : Math.log(FORGOTTEN) / Math.log(kept)));
}

function band(set: IndicatorSet, n: number, k: number): Column {
  const [middle, width] = [set.sma(n), set.stdev(n)];
  const out = new Float64Array(middle.length);
  for (let t = 0; t < out.length; t++) out[t] = middle[t] + k * width[t];
  return out;
}

export const INDICATORS = family({ kind: 'indicator', result: 'value' }, {
  sma: {
    isOfCloses: true,
    args: [period(50)],
    description: text('Mean of the last n closes', '最近n根收盘价的均值', '最近n根收盤價的平均'),
    dimension: PRICE,
    bars: ([n]) => n,
    window: 'look-back',
    column: (set, [n]) => set.sma(n),
  },
  ema: {
    isOfCloses: true,
    args: [period(20)],
    description: text('Exponential mean of the closes', '收盘价指数均线', '收盤價指數均線'),
    dimension: PRICE,
    bars: ([n]) => n,
    window: CARRIED,
    column: (set, [n]) => set.ema(n),
  },
  rsi: {
    isOfCloses: true,
    args: [period(14)],
    description: text("Wilder's RSI, 0 to 100", '威尔德RSI，0到100', '威爾德RSI，0到100'),
    source: WILDER,
    dimension: NO_DIMENSION,
    bars: ([n]) => n + 1,
    window: CARRIED,
    column: (set, [n]) => set.rsi(n),
  },
  atr: {
    isOfCloses: false,
    args: [period(14)],
    description: text("Wilder's average true range", '威尔德平均真实波幅', '威爾德平均真實區間'),
    source: WILDER,
    dimension: PRICE,
    bars: ([n]) => n + 1,
    window: CARRIED,
    column: (set, [n]) => set.atr(n),
  },
  roc: {
    isOfCloses: true,
    args: [period(20)],
    description: text('Change of the close over n bars, %', 'n根内收盘价变动（%）', 'n根內收盤價變動（%）'),
    dimension: NO_DIMENSION,
    bars: ([n]) => n + 1,
    window: 'look-back',
    column: (set, [n]) => set.roc(n),
  },
  volatility: {
    isOfCloses: true,
    args: [period(20)],
    description: text(
      'Annualized standard deviation of n log returns, %',
      'n个对数收益率的年化标准差（%）',
      'n個對數報酬率的年化標準差（%）',
    ),
    dimension: NO_DIMENSION,
    bars: ([n]) => n + 1,
    window: 'look-back',
    column: (set, [n]) => set.volatility(n),
  },
  highest: {
    isOfCloses: false,
    args: [period(20)],
    description: text('Highest high of the n bars before', '此前n根的最高价', '先前n根的最高價'),
    dimension: PRICE,
    bars: ([n]) => n + 1,
    window: 'look-back',
    column: (set, [n]) => set.highestBefore(n),
  },
  lowest: {
    isOfCloses: false,
    args: [period(20)],
    description: text('Lowest low of the n bars before', '此前n根的最低价', '先前n根的最低價'),
    dimension: PRICE,
    bars: ([n]) => n + 1,
    window: 'look-back',
    column: (set, [n]) => set.lowestBefore(n),
  },
  macd: {
    isOfCloses: true,
    args: [period(12, 'f'), period(26, 's')],
    ordered: ['f', 's'],
    description: text('Fast minus slow exponential mean', '快慢指数均线之差', '快慢指數均線之差'),
    source: APPEL,
    dimension: PRICE,
    bars: ([, s]) => s,
    window: { carried: ([f, s]) => [f, s], bars: () => 2 },
    column: (set, [f, s]) => set.macdLine(f, s),
  },
  macd_signal: {
    isOfCloses: true,
    args: [period(12, 'f'), period(26, 's'), period(9, 'g')],
    ordered: ['f', 's'],
    description: text('Exponential mean of g values of the MACD', 'MACD的g根指数均线', 'MACD的g根指數均線'),
    source: APPEL,
    dimension: PRICE,
    bars: ([, s, g]) => s + g - 1,
    // The mean of the signal line is not carried over: the window is long enough to forget its start.
    window: { carried: ([f, s]) => [f, s], bars: ([, , g]) => 2 + barsToForget(g) },
    column: (set, [f, s, g]) => set.macd(f, s, g).signal,
  },
  bollinger_upper: {
    isOfCloses: true,
    args: [period(20), multiple(2)],
    description: text('Mean plus k standard deviations', '均值加k倍标准差', '平均加k倍標準差'),
    source: BOLLINGER,
    dimension: PRICE,
    bars: ([n]) => n,
    window: 'look-back',
    column: (set, [n, k]) => band(set, n, k),
  },
  bollinger_lower: {
    isOfCloses: true,
    args: [period(20), multiple(2)],
    description: text('Mean minus k standard deviations', '均值减k倍标准差', '平均減k倍標準差'),
    source: BOLLINGER,
    dimension: PRICE,
    bars: ([n]) => n,
    window: 'look-back',
    column: (set, [n, k]) => band(set, n, -k),
  },
} satisfies Record<string, Entry<IndicatorFunction>>);
