import { above } from '../indicators/scans.ts';
import { text } from '../util/localized-text.ts';
import { integer } from './parameters.ts';
import { defineStrategy } from './strategy.ts';

export const donchian = defineStrategy({
  code: 'donchian',
  label: text('Donchian breakout', '唐奇安通道突破', '唐奇安通道突破'),
  description: text(
    'Buys a close above the highest high of the bars before; sells a close below their lowest low.',
    '收盘价突破此前最高价时买入，跌破此前最低价时卖出。',
    '收盤價突破先前最高價時買進，跌破先前最低價時賣出。',
  ),
  parameters: {
    entry_period: integer(20, [2, 252], text('Entry channel, bars', '入场通道周期（根）', '進場通道週期（根）')),
    exit_period: integer(10, [2, 252], text('Exit channel, bars', '出场通道周期（根）', '出場通道週期（根）')),
  },
  rules: {
    entry: 'close > highest($entry_period)',
    exit: 'close < lowest($exit_period)',
  },
  signals: (indicators, { entry_period, exit_period }) => {
    const { close } = indicators.series;
    const highest = indicators.highestBefore(entry_period);
    const lowest = indicators.lowestBefore(exit_period);
    return { entry: above(close, highest), exit: above(lowest, close), trail: null, stop: null };
  },
});
