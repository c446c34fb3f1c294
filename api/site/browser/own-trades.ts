/** The trades of an own strategy on an instrument, over the candles that are shown. */
import './tool.ts';
import { path } from './api.ts';
import { type Fill, fillsOf } from './charts/fills.ts';
import { runJob } from './run/call.ts';
import { OWN_RULES } from './run/specification.ts';
import { get } from './session.ts';
import type { BacktestResult, Kline, OwnStrategy } from './types.ts';

export interface OwnTrades {
  readonly name: string;
  readonly fills: readonly Fill[];
  readonly result: BacktestResult;
}

export interface Shown {
  readonly symbol: string;
  readonly adjust: string;
  /** Oldest first; at least one. */
  readonly bars: Kline['bars'];
}

/** The run is not kept. */
export async function ownTrades(id: number, { symbol, adjust, bars }: Shown, signal: AbortSignal): Promise<OwnTrades> {
  const { name, rules, parameters } = await get<OwnStrategy>(path('/v1/my/strategies/{id}', { id }), { signal });
  const params = Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, value.default]));
  const body = {
    symbol,
    rules,
    params,
    strategy: OWN_RULES,
    start: bars[0].ts,
    end: bars[bars.length - 1].ts,
    adjust: adjust === 'qfq' ? 'split' : adjust,
    save: false,
  };
  const result = await runJob<BacktestResult>('/v1/backtest', body, signal);
  const trades = result.trades ?? [];
  return { name, result, fills: fillsOf(bars, { trades, current: null, isNumbered: true, cleared: 0 }) };
}
