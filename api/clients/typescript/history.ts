/** Candles of many instruments. */
import type { Caller, OperationOptions } from './caller.ts';
import type { BodyOf, Schema } from './types.ts';

/** The number of symbols that every plan allows in a batch. */
const BATCH_SYMBOLS = 25;

export interface History {
  /** By symbol, such as `ACRX.US`. */
  readonly candles: ReadonlyMap<string, Schema<'Candles'>>;
  /** Error messages of the other symbols. */
  readonly errors: ReadonlyMap<string, string>;
}

/** The parameters of `kline`, for all symbols. */
export type HistoryQuery = Omit<BodyOf<'getBatch'>, 'symbols' | 'type'>;

export async function historyOf(
  { call }: Caller,
  symbols: readonly string[],
  query: HistoryQuery,
  options?: OperationOptions,
): Promise<History> {
  const candles = new Map<string, Schema<'Candles'>>();
  const errors = new Map<string, string>();
  for (let from = 0; from < symbols.length; from += BATCH_SYMBOLS) {
    const body = { ...query, symbols: symbols.slice(from, from + BATCH_SYMBOLS), type: 'kline' } as const;
    const answer = await call('getBatch', { body }, options);
    for (const [symbol, one] of Object.entries(answer.results)) if ('bars' in one) candles.set(symbol, one);
    for (const { symbol, message } of answer.errors) errors.set(symbol, message);
  }
  return { candles, errors };
}
