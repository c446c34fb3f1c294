/** Values of the position that is held. */
import { NO_DIMENSION, PRICE } from '../../market/basis.ts';
import { text } from '../../util/localized-text.ts';
import { type Column, type Entry, family, type HeldBars, type PositionFunction } from './function.ts';

export const POSITION_VALUES = family({ kind: 'position', result: 'value', args: null }, {
  entry_price: {
    description: text('Price of the fill, before slippage', '成交价（未计滑点）', '成交價（未計滑價）'),
    dimension: PRICE,
    column: ({ from, to, entryPrice }) => new Float64Array(to - from).fill(entryPrice),
  },
  bars_held: {
    description: text('Bars since the fill', '成交后的根数', '成交後的根數'),
    dimension: NO_DIMENSION,
    column: ({ from, to }) => Float64Array.from({ length: to - from }, (_, i) => i + 1),
  },
  pnl_pct: {
    description: text('Close against the fill, %', '收盘价相对成交价（%）', '收盤價相對成交價（%）'),
    dimension: NO_DIMENSION,
    column: ({ series, from, to, entryPrice }) =>
      series.close.subarray(from, to).map((price) => 100 * (price / entryPrice - 1)),
  },
  peak: {
    description: text('Highest high since the fill', '成交后的最高价', '成交後的最高價'),
    dimension: PRICE,
    column: (held) => running(held.series.high, held, 1),
  },
  trough: {
    description: text('Lowest low since the fill', '成交后的最低价', '成交後的最低價'),
    dimension: PRICE,
    column: (held) => running(held.series.low, held, -1),
  },
  peak_close: {
    description: text('Highest close since the fill', '成交后的最高收盘价', '成交後的最高收盤價'),
    dimension: PRICE,
    column: (held) => running(held.series.close, held, 1),
  },
  trough_close: {
    description: text('Lowest close since the fill', '成交后的最低收盘价', '成交後的最低收盤價'),
    dimension: PRICE,
    column: (held) => running(held.series.close, held, -1),
  },
} satisfies Record<string, Entry<PositionFunction, 'args'>>);

/** Highest (sign 1) or lowest (sign -1) price of a position so far, that of its fill included. */
function running(prices: Column, { from, to, entryPrice }: HeldBars, sign: 1 | -1): Column {
  const out = new Float64Array(to - from);
  let extreme = entryPrice;
  for (let i = 0; i < out.length; i++) {
    const price = prices[from + i];
    if (sign * price > sign * extreme) extreme = price;
    out[i] = extreme;
  }
  return out;
}
