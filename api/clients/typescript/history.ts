/** Candles of many instruments, from as many batches as they take. */
import type { Caller, OperationOptions } from './caller.ts';
import type { BodyOf, Schema } from './types.ts';

/** As many symbols as a batch of every plan may name. */
const BATCH_SYMBOLS = 25;

export interface History {
  /** By symbol, such as `ACRX.US`. */
  readonly candles: ReadonlyMap<string, Schema<'Candles'>>;
  /** Why the others have none, by symbol. */
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
