import { above } from '../indicators/scans.ts';
import { integer } from './parameters.ts';
import { defineStrategy } from './strategy.ts';

export const donchian = defineStrategy({
  code: 'donchian',
  label: { en: 'Donchian breakout', 'zh-CN': '唐奇安通道突破', 'zh-TW': '唐奇安通道突破' },
  description: {
    en: 'Buys a close above the highest high of the bars before; sells a close below their lowest low.',
    'zh-CN': '收盘价突破此前最高价时买入，跌破此前最低价时卖出。',
    'zh-TW': '收盤價突破先前最高價時買進，跌破先前最低價時賣出。',
  },
  parameters: {
    entry_period: integer(20, [2, 252], {
      en: 'Entry channel, bars',
      'zh-CN': '入场通道周期（根）',
      'zh-TW': '進場通道週期（根）',
    }),
    exit_period: integer(10, [2, 252], {
      en: 'Exit channel, bars',
      'zh-CN': '出场通道周期（根）',
      'zh-TW': '出場通道週期（根）',
    }),
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
