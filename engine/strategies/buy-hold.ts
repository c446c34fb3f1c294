import { always } from '../indicators/scans.ts';
import { defineStrategy } from './strategy.ts';

export const buyHold = defineStrategy({
  code: 'buy_hold',
  label: { en: 'Buy and hold', 'zh-CN': '买入持有', 'zh-TW': '買進持有' },
  description: {
    en: 'Buys at once and holds to the end.',
    'zh-CN': '立即买入并持有至结束。',
    'zh-TW': '立即買進並持有至結束。',
  },
  parameters: {},
  rules: {
    entry: 'close > 0',
  },
  signals: () => ({ entry: always, exit: null, trail: null, stop: null }),
});
