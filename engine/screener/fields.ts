/** All fields of the screener: meaning, look-back, and calculation of each. */
import { isAbove, isBelow } from '../indicators/ties.ts';
import { text } from '../util/localized-text.ts';
import { beforePeriod, closeOf, type Field, flag, inPeriod, last } from './field.ts';
import { atrOf, barsSinceHighest, emaOf, highestOf, holds, lowestOf, rsiOf, smaOf, volatilityOf } from './figures.ts';

const HIGH_LOW_FIELDS: readonly Field[] = [
  {
    code: 'near_high_pct',
    kind: 'number',
    defaultPeriod: 252,
    unit: 'percent',
    lookback: inPeriod,
    label: text('Close against high, %', '接近高点（%）', '接近高點（%）'),
    description: text('100 × close ÷ highest high of the period', '收盘价 ÷ 区间最高价', '收盤價 ÷ 區間最高價'),
    compute: (window, period) => (100 * closeOf(window)) / highestOf(window, period),
  },
  {
    code: 'new_high',
    kind: 'boolean',
    defaultPeriod: 252,
    unit: 'flag',
    lookback: beforePeriod,
    label: text('New high', '创新高', '創新高'),
    description: text('High above all of the bars before', '最高价高于此前区间', '最高價高於先前區間'),
    compute: (window, period) => flag(isAbove(window.bars.high[last(window)], highestOf(window, period, 1))),
  },
  {
    code: 'new_low',
    kind: 'boolean',
    defaultPeriod: 252,
    unit: 'flag',
    lookback: beforePeriod,
    label: text('New low', '创新低', '創新低'),
    description: text('Low below all of the bars before', '最低价低于此前区间', '最低價低於先前區間'),
    compute: (window, period) => flag(isBelow(window.bars.low[last(window)], lowestOf(window, period, 1))),
  },
  {
    code: 'pullback_from_high_pct',
    kind: 'number',
    defaultPeriod: 60,
    unit: 'percent',
    lookback: inPeriod,
    label: text('Pullback from high, %', '高点回撤（%）', '高點回落（%）'),
    description: text(
      'Fall of the close below the highest high',
      '收盘价较区间最高价的回落',
      '收盤價較區間最高價的回落',
    ),
    compute: (window, period) => 100 * (1 - closeOf(window) / highestOf(window, period)),
  },
  {
    code: 'range_position_pct',
    kind: 'number',
    defaultPeriod: 20,
    unit: 'percent',
    lookback: inPeriod,
    label: text('Position in range, %', '区间位置（%）', '區間位置（%）'),
    description: text(
      '0 at the lowest low, 100 at the highest high',
      '区间最低价为0，最高价为100',
      '區間最低價為0，最高價為100',
    ),
    compute: (window, period) => {
      const low = lowestOf(window, period);
      const span = highestOf(window, period) - low;
      return span === 0 ? Number.NaN : (100 * (closeOf(window) - low)) / span;
    },
  },
  {
    code: 'days_since_high',
    kind: 'number',
    defaultPeriod: 252,
    unit: 'bars',
    lookback: inPeriod,
    label: text('Bars since high', '距高点天数（根）', '距高點天數（根）'),
    description: text('Bars since the highest high of the period', '距区间最高价的交易日数', '距區間最高價的交易日數'),
    compute: barsSinceHighest,
  },
];

/** Number of bars between the two averages of a slope. */
const SLOPE_BARS = 5;

/** Makes a field undefined on windows that are shorter than its look-back. */
function define(field: Field): Field {
  return {
    ...field,
    compute: (window, period) => (holds(window, field.lookback(period)) ? field.compute(window, period) : Number.NaN),
  };
}

const DEFINITIONS: readonly Field[] = [
  {
    code: 'close',
    kind: 'number',
    defaultPeriod: null,
    unit: 'price',
    lookback: () => 1,
    label: text('Close', '收盘价', '收盤價'),
    description: text('Last close', '最新收盘价', '最新收盤價'),
    compute: closeOf,
  },
  {
    code: 'change_pct',
    kind: 'number',
    defaultPeriod: null,
    unit: 'percent',
    lookback: () => 2,
    label: text('Change, %', '涨跌幅（%）', '漲跌幅（%）'),
    description: text('From the close before to the last', '相对前一收盘价的涨跌幅', '相對前一收盤價的漲跌幅'),
    compute: (window) => 100 * (closeOf(window) / window.bars.close[last(window) - 1] - 1),
  },
  {
    code: 'gap_pct',
    kind: 'number',
    defaultPeriod: null,
    unit: 'percent',
    lookback: () => 2,
    label: text('Gap, %', '跳空幅度（%）', '跳空幅度（%）'),
    description: text('From the close before to the last open', '开盘价相对前一收盘价', '開盤價相對前一收盤價'),
    compute: (window) => 100 * (window.bars.open[last(window)] / window.bars.close[last(window) - 1] - 1),
  },
  {
    code: 'volume',
    kind: 'number',
    defaultPeriod: null,
    unit: 'shares',
    lookback: () => 1,
    label: text('Volume', '成交量', '成交量（股）'),
    description: text('Shares traded in the last session', '最新交易日成交股数', '最新交易日成交股數'),
    compute: (window) => window.bars.volume[last(window)],
  },
  {
    code: 'dollar_volume',
    kind: 'number',
    defaultPeriod: null,
    unit: 'money',
    lookback: () => 1,
    label: text('Dollar volume', '成交额', '成交額'),
    description: text('Close × volume', '收盘价 × 成交量', '收盤價 × 成交量'),
    compute: (window) => closeOf(window) * window.bars.volume[last(window)],
  },
  {
    code: 'volume_ratio',
    kind: 'number',
    defaultPeriod: 20,
    unit: 'ratio',
    lookback: beforePeriod,
    label: text('Volume ratio', '量比', '量比（倍）'),
    description: text('Volume ÷ mean volume of the bars before', '成交量 ÷ 此前均量', '成交量 ÷ 先前均量'),
    compute: ({ bars: { volume }, to }, period) => {
      let sum = 0;
      for (let t = to - 1 - period; t < to - 1; t++) sum += volume[t];
      return sum === 0 ? Number.NaN : volume[to - 1] / (sum / period);
    },
  },
  {
    code: 'sma',
    kind: 'number',
    defaultPeriod: 50,
    unit: 'price',
    lookback: inPeriod,
    label: text('Simple average', '简单均线', '簡單均線'),
    description: text('Mean of the closes', '收盘价简单移动平均', '收盤價簡單移動平均'),
    compute: smaOf,
  },
  {
    code: 'ema',
    kind: 'number',
    defaultPeriod: 20,
    unit: 'price',
    lookback: inPeriod,
    label: text('Exponential average', '指数均线', '指數均線'),
    description: text('Exponential mean of the closes', '收盘价指数移动平均', '收盤價指數移動平均'),
    compute: emaOf,
  },
  {
    code: 'price_vs_sma_pct',
    kind: 'number',
    defaultPeriod: 50,
    unit: 'percent',
    lookback: inPeriod,
    label: text('Close against average, %', '偏离均线（%）', '偏離均線（%）'),
    description: text('Distance of the close from its average', '收盘价偏离均线的幅度', '收盤價偏離均線的幅度'),
    compute: (window, period) => 100 * (closeOf(window) / smaOf(window, period) - 1),
  },
  {
    code: 'sma_slope_pct',
    kind: 'number',
    defaultPeriod: 50,
    unit: 'percent',
    lookback: (period) => period + SLOPE_BARS,
    label: text('Slope of the average, %', '均线斜率（%）', '均線斜率（%）'),
    description: text('Change of the average over 5 bars', '均线5根内的变化', '均線5根內的變化'),
    compute: (window, period) => 100 * (smaOf(window, period) / smaOf(window, period, SLOPE_BARS) - 1),
  },
  {
    code: 'above_sma',
    kind: 'boolean',
    defaultPeriod: 50,
    unit: 'flag',
    lookback: inPeriod,
    label: text('Above the average', '站上均线', '站上均線（是否）'),
    description: text('Close above its average', '收盘价高于均线', '收盤價高於均線'),
    compute: (window, period) => flag(isAbove(closeOf(window), smaOf(window, period))),
  },
  {
    code: 'roc_pct',
    kind: 'number',
    defaultPeriod: 20,
    unit: 'percent',
    lookback: beforePeriod,
    label: text('Rate of change, %', '变动率（%）', '變動率（%）'),
    description: text('Change of the close over the period', '区间涨跌幅', '區間漲跌幅'),
    compute: (window, period) => 100 * (closeOf(window) / window.bars.close[last(window) - period] - 1),
  },
  {
    code: 'rsi',
    kind: 'number',
    defaultPeriod: 14,
    unit: 'index',
    lookback: beforePeriod,
    label: text('RSI', '相对强弱指数', '相對強弱指數'),
    description: text(
      "Wilder's relative strength, 0 to 100",
      '威尔德相对强弱指数（0–100）',
      '威爾德相對強弱指數（0–100）',
    ),
    compute: rsiOf,
  },
  {
    code: 'atr_pct',
    kind: 'number',
    defaultPeriod: 14,
    unit: 'percent',
    lookback: beforePeriod,
    label: text('ATR, %', '真实波幅（%）', '真實波幅（%）'),
    description: text(
      'Average true range in percent of the close',
      '平均真实波幅占收盘价比例',
      '平均真實波幅占收盤價比例',
    ),
    compute: (window, period) => (100 * atrOf(window, period)) / closeOf(window),
  },
  {
    code: 'volatility_pct',
    kind: 'number',
    defaultPeriod: 20,
    unit: 'percent',
    lookback: beforePeriod,
    label: text('Volatility, %', '波动率（%）', '波動率（%）'),
    description: text('Annualized deviation of log returns', '对数收益年化标准差', '對數報酬年化標準差'),
    compute: volatilityOf,
  },
  ...HIGH_LOW_FIELDS,
];

export const FIELDS: readonly Field[] = DEFINITIONS.map(define);

const byCode = new Map(FIELDS.map((field) => [field.code, field]));

/** Throws a RangeError for an unknown code. */
export function requireField(code: string): Field {
  const field = byCode.get(code);
  if (!field) throw new RangeError(`unknown field ${code}`);
  return field;
}
