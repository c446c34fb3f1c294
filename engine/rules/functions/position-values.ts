/** Values of the position that is held. */
import { NO_DIMENSION, PRICE } from '../../market/basis.ts';
import { text } from '../../util/localized-text.ts';
import { type Column, type Entry, family, type PositionFunction } from './function.ts';

export const POSITION_VALUES = family({ kind: 'position', result: 'value', args: null }, {
  entry_price: {
    description: text('Price of the fill, before slippage', '成交价（未计滑点）', '成交價（未計滑價）'),
    dimension: PRICE,
    column: ({ close, entryPrice }) => new Float64Array(close.length).fill(entryPrice),
  },
  bars_held: {
    description: text('Bars since the fill', '成交后的根数', '成交後的根數'),
    dimension: NO_DIMENSION,
    column: ({ close: { length } }) => Float64Array.from({ length }, (_, i) => i + 1),
  },
  pnl_pct: {
    description: text('Close against the fill, %', '收盘价相对成交价（%）', '收盤價相對成交價（%）'),
    dimension: NO_DIMENSION,
    column: ({ close, entryPrice }) => close.map((price) => 100 * (price / entryPrice - 1)),
  },
  peak: {
    description: text('Highest high since the fill', '成交后的最高价', '成交後的最高價'),
    dimension: PRICE,
    column: ({ high, entryPrice }) => running(high, entryPrice, 1),
  },
  trough: {
    description: text('Lowest low since the fill', '成交后的最低价', '成交後的最低價'),
    dimension: PRICE,
    column: ({ low, entryPrice }) => running(low, entryPrice, -1),
  },
  peak_close: {
    description: text('Highest close since the fill', '成交后的最高收盘价', '成交後的最高收盤價'),
    dimension: PRICE,
    column: ({ close, entryPrice }) => running(close, entryPrice, 1),
  },
  trough_close: {
    description: text('Lowest close since the fill', '成交后的最低收盘价', '成交後的最低收盤價'),
    dimension: PRICE,
    column: ({ close, entryPrice }) => running(close, entryPrice, -1),
  },
} satisfies Record<string, Entry<PositionFunction, 'args'>>);

/** Highest (sign 1) or lowest (sign -1) price so far, the first one included. */
function running(prices: Column, first: number, sign: 1 | -1): Column {
  const out = new Float64Array(prices.length);
  let extreme = first;
  for (let i = 0; i < prices.length; i++) {
    if (sign * prices[i] > sign * extreme) extreme = prices[i];
    out[i] = extreme;
  }
  return out;
}
