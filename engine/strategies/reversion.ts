/** Strategies that buy a fall and sell the recovery. */
import { above, aboveLevel, atLeast, belowBand, belowLevel, both } from '../indicators/scans.ts';
import { text } from '../util/localized-text.ts';
import { integer, number } from './parameters.ts';
import { defineStrategy } from './strategy.ts';

export const rsiReversion = defineStrategy({
  code: 'rsi_reversion',
  label: text('RSI mean reversion', 'RSI均值回归', 'RSI均值回歸'),
  description: text(
    'Buys oversold closes, above a long average if wanted; sells when the RSI has recovered.',
    'RSI超卖时买入（可要求价格高于长期均线），RSI恢复后卖出。',
    'RSI超賣時買進（可要求價格高於長期均線），RSI回升後賣出。',
  ),
  parameters: {
    rsi_period: integer(14, [2, 100], text('RSI, bars', 'RSI周期（根）', 'RSI週期（根）')),
    entry_below: number(30, [1, 60], text('Buy below', '买入阈值（低于）', '買進門檻（低於）')),
    exit_above: number(55, [40, 99], text('Sell above', '卖出阈值（高于）', '賣出門檻（高於）')),
    trend_period: integer(
      200,
      [0, 400],
      text('Trend average, bars (0: off)', '趋势均线周期（0为关闭）', '趨勢均線週期（0為關閉）'),
      1,
    ),
  },
  rules: {
    entry: 'rsi($rsi_period) < $entry_below and close > sma($trend_period)',
    exit: 'rsi($rsi_period) > $exit_above',
  },
  signals: (indicators, { rsi_period, entry_below, exit_above, trend_period }) => {
    const { close } = indicators.series;
    const strength = indicators.rsi(rsi_period);
    const isOversold = belowLevel(strength, entry_below);
    const entry = trend_period === 0 ? isOversold : both(isOversold, above(close, indicators.sma(trend_period)));
    return { entry, exit: aboveLevel(strength, exit_above), trail: null, stop: null };
  },
});

export const bollingerReversion = defineStrategy({
  code: 'bollinger_reversion',
  label: text('Bollinger mean reversion', '布林带均值回归', '布林通道均值回歸'),
  description: text(
    'Buys a close below the lower band; sells a close at or above the average.',
    '收盘价跌破下轨时买入，回到中轨及以上时卖出。',
    '收盤價跌破下軌時買進，回到中軌及以上時賣出。',
  ),
  parameters: {
    period: integer(20, [5, 200], text('Band, bars', '布林带周期（根）', '布林通道週期（根）')),
    mult: number(2, [0.5, 5], text('Band width, deviations', '带宽（标准差倍数）', '通道寬度（標準差倍數）')),
  },
  rules: {
    entry: 'close < bollinger_lower($period, $mult)',
    exit: 'close >= sma($period)',
  },
  signals: (indicators, { period, mult }) => {
    const { close } = indicators.series;
    const mean = indicators.sma(period);
    return {
      entry: belowBand(close, mean, indicators.stdev(period), mult),
      exit: atLeast(close, mean),
      trail: null,
      stop: null,
    };
  },
});
