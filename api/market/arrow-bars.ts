/** Bars as rows of Arrow. */
import type { BarSeries, VALUE_COLUMNS } from '../../engine/market/series.ts';
import { ARROW_STREAM, type ArrowColumn, type ArrowRows } from '../http/answer/arrow.ts';

/** The content types of candles. */
export const CANDLE_TYPES = ['application/json', ARROW_STREAM] as const;

/** Candles of an instrument. */
export function candleRows(symbol: string, series: BarSeries): ArrowRows {
  const columns: ArrowRows['columns'] = {
    symbol: { type: 'text', values: symbol },
    ts: { type: 'day', values: series.day },
    ...figureColumns(series),
  };
  return { length: series.length, columns };
}

export function figureColumns(
  values: Pick<BarSeries, (typeof VALUE_COLUMNS)[number]>,
): Readonly<Record<string, ArrowColumn>> {
  const { open, high, low, close, volume } = values;
  return {
    open: { type: 'number', values: open },
    high: { type: 'number', values: high },
    low: { type: 'number', values: low },
    close: { type: 'number', values: close },
    volume: { type: 'integer', values: volume },
  };
}
