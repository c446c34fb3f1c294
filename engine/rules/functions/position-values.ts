/** Values of the position that is held. */
import { NO_DIMENSION, PRICE } from '../../market/basis.ts';
import { type LocalizedText, text } from '../../util/localized-text.ts';
import { type Entry, family, type PositionFunction } from './function.ts';

type PositionEntry = Entry<PositionFunction, 'args'>;

/** Highest (sign 1) or lowest (sign -1) price of a position so far, that of its fill included. */
const extreme = (prices: 'high' | 'low' | 'close', sign: 1 | -1, description: LocalizedText): PositionEntry => ({
  description,
  dimension: PRICE,
  column: ({ series, from, to, entryPrice }) => {
    const out = new Float64Array(to - from);
    let reached = entryPrice;
    for (let i = 0; i < out.length; i++) {
      const price = series[prices][from + i];
      if (sign * price > sign * reached) reached = price;
      out[i] = reached;
    }
    return out;
  },
});

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
  peak: extreme('high', 1, text('Highest high since the fill', '成交后的最高价', '成交後的最高價')),
  trough: extreme('low', -1, text('Lowest low since the fill', '成交后的最低价', '成交後的最低價')),
  peak_close: extreme('close', 1, text('Highest close since the fill', '成交后的最高收盘价', '成交後的最高收盤價')),
  trough_close: extreme('close', -1, text('Lowest close since the fill', '成交后的最低收盘价', '成交後的最低收盤價')),
} satisfies Record<string, PositionEntry>);
