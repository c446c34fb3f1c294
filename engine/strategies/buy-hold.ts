import { always } from '../indicators/scans.ts';
import { text } from '../util/localized-text.ts';
import { defineStrategy } from './strategy.ts';

export const buyHold = defineStrategy({
  code: 'buy_hold',
  label: text('Buy and hold', '买入持有', '買進持有'),
  description: text('Buys at once and holds to the end.', '立即买入并持有至结束。', '立即買進並持有至結束。'),
  parameters: {},
  rules: {
    entry: 'close > 0',
  },
  signals: () => ({ entry: always, exit: null, trail: null, stop: null }),
});
