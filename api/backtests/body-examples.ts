/** A backtest of the sample market, in the two forms of the body. */
import type { z } from '../http/input/fields.ts';
import type { flatBody, nestedBody } from './request.ts';

export const FLAT_EXAMPLE: z.input<typeof flatBody> = {
  symbol: 'ACRX.US',
  strategy: 'sma_cross',
  time_range: '1Y',
  params: { fast_period: 10, slow_period: 30 },
  cost: { commission_rate: 0.0005, slippage_bps: 5 },
};
export const NESTED_EXAMPLE: z.input<typeof nestedBody> = {
  symbol: 'ACRX.US',
  strategy: 'sma_cross',
  range: { time_range: '1Y' },
  params: { fast_period: 10, slow_period: 30 },
  execution: { execute_on: 'close', cost: { commission_rate: 0.0005, slippage_bps: 5 } },
  include: { klines: false },
};
