/** Quotes, static attributes, or candles of many symbols in one answer. */
import { EMPTY_SERIES } from '../../engine/market/series.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { PLANS, type PlanCode } from '../access/plans.ts';
import type { Call } from '../call/route.ts';
import { type ArrowRows, arrowFile } from '../http/answer/arrow.ts';
import { type JsonMember, jsonObjectStream } from '../http/answer/long-json.ts';
import { FileStream, JsonStream } from '../http/answer/reply.ts';
import { errorView } from '../http/errors/catalogue.ts';
import { toServiceError } from '../http/errors/error-body.ts';
import { withPermit } from '../http/fair-semaphore.ts';
import type { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { candleRows } from './arrow-bars.ts';
import { type Directory, type DirectoryItem, findInstrument, readSymbol } from './directory.ts';
import { candlesOf, type KlineRange, klineOf } from './kline.ts';
import { quoteOf } from './quote.ts';
import type { batchSchema } from './schemas.ts';
import type { Services } from './services.ts';
import { staticOf } from './static-info.ts';

export interface BatchRequest {
  readonly symbols: readonly string[];
  readonly type: 'quote' | 'static' | 'kline';
  readonly range: KlineRange;
}

type BatchCall = Pick<Call<unknown, unknown, unknown, Services>, 'services' | 'context' | 'caller'>;

type BatchError = z.input<typeof batchSchema>['errors'][number];

/** Symbols whose series are read in one statement. */
const SYMBOLS_AT_ONCE = 8;
/** Answers with more bars need a permit. */
const MANY_BARS = 20_000;
const LONGEST_BARS = 10_000;

/**
 * Looks up each distinct symbol. Failures of single symbols are listed in `errors`. The answer is made symbol by symbol
 * while it is sent, so that it blocks no other call and only a part of it is in memory.
 */
export function batchOf(call: BatchCall, { symbols, type, range }: BatchRequest): JsonStream {
  const { services, context, caller } = call;
  const { market } = services;
  const { plan } = caller;
  const { locale } = context;
  const unique = distinctSymbols(call, symbols);
  const readers: Record<BatchRequest['type'], (item: DirectoryItem) => Promise<string>> = {
    quote: async (item) => JSON.stringify(await quoteOf(market, item, locale)),
    static: async (item) => JSON.stringify(await staticOf(market, item, locale)),
    kline: (item) => candlesText(services, item, range, plan, locale),
  };
  const find = (symbol: string) => findInstrument(market.directory, symbol);
  const errors: BatchError[] = [];
  async function* results(): AsyncGenerator<JsonMember> {
    for (const [i, symbol] of unique.entries()) {
      if (i % SYMBOLS_AT_ONCE === 0) await readAhead(unique.slice(i, i + SYMBOLS_AT_ONCE));
      try {
        yield [symbol, await readers[type](find(symbol))];
      } catch (error) {
        errors.push({ symbol, ...perSymbolError(error, locale) });
      }
    }
  }
  /** Reads some symbols in one statement. Errors of single symbols are reported when the symbol is looked up. */
  const readAhead = async (some: readonly string[]) => {
    const read = await Promise.allSettled(
      some.map(async (symbol) => (type === 'quote' ? market.newest(find(symbol)) : market.series(find(symbol)))),
    );
    for (const one of read) if (one.status === 'rejected') perSymbolError(one.reason, locale);
  };
  const head = { type, requested: unique.length, distribution_mode: market.mode };
  const tail = () => ({ succeeded: unique.length - errors.length, failed: errors.length, errors });
  const pieces = jsonObjectStream(head, 'results', results(), tail);
  return new JsonStream(type === 'kline' ? permitted(call, unique.length, range, pieces) : pieces);
}

/** Candles of the symbols that are known, as Arrow. Its metadata `errors` has the others. */
export function candleStream(call: BatchCall, symbols: readonly string[], range: KlineRange): FileStream {
  const { services, context, caller } = call;
  const { market } = services;
  const { locale } = context;
  const unique = distinctSymbols(call, symbols);
  const errors: BatchError[] = [];
  const items = unique.flatMap((symbol) => {
    try {
      return findInstrument(market.directory, symbol);
    } catch (error) {
      errors.push({ symbol, ...perSymbolError(error, locale) });
      return [];
    }
  });
  async function* rows(): AsyncGenerator<ArrowRows> {
    for (const [i, item] of items.entries()) {
      if (i % SYMBOLS_AT_ONCE === 0) {
        await Promise.all(items.slice(i, i + SYMBOLS_AT_ONCE).map((one) => market.series(one)));
      }
      const { bars } = await candlesOf(market, item, range, caller.plan, locale);
      yield candleRows(item.qualified, bars);
    }
    // Without a row, the stream has its columns all the same.
    if (items.length === 0) yield candleRows('', EMPTY_SERIES);
  }
  const file = arrowFile('candles', rows(), { errors: JSON.stringify(errors) });
  return new FileStream(file.name, file.contentType, permitted(call, unique.length, range, file.pieces));
}

/** Each symbol once, in its usual form. Throws for more than the plan allows. */
function distinctSymbols({ services: { market }, caller: { plan } }: BatchCall, symbols: readonly string[]): string[] {
  const unique = [...new Set(symbols.map((symbol) => canonical(market.directory, symbol)))];
  const max = PLANS[plan].quotas.batch_symbols_max;
  if (unique.length > max) throw new ServiceError('too_many_symbols', { count: unique.length, plan, max });
  return unique;
}

/** Pieces that wait for a permit if they have many bars. */
function permitted<Piece>(
  { services: { largeAnswers }, context, caller }: BatchCall,
  symbols: number,
  { start, days }: KlineRange,
  pieces: AsyncIterable<Piece>,
): AsyncIterable<Piece> {
  const isLarge = symbols * (start === undefined ? days : LONGEST_BARS) > MANY_BARS;
  return isLarge ? withPermit(largeAnswers, caller.counter, context.abortSignal(), pieces) : pieces;
}

/** `aapl` and `AAPL.US` are one symbol. Malformed symbols stay as they were sent. */
function canonical(directory: Directory, text: string): string {
  const parsed = readSymbol(directory, text);
  return parsed.ok ? qualifiedSymbol(parsed.ticker) : text;
}

/** The error of a symbol. Errors of the whole service, such as an unavailable database, are thrown. */
function perSymbolError(reason: unknown, locale: Locale): { code: number; message: string } {
  const error = toServiceError(reason);
  if (error.code === 'internal' || error.code === 'unavailable') throw reason;
  const { code, message } = errorView(error.code, error.details, locale);
  return { code, message };
}

/** Longer texts are not cached, because a few of them would displace all others. */
const MAX_CACHED_CHARS = 128 * 1024;

/** Candles of an instrument as JSON text, cached until anything that they depend on changes. */
async function candlesText(
  { market, candleTexts }: Pick<Services, 'market' | 'candleTexts'>,
  item: DirectoryItem,
  range: KlineRange,
  plan: PlanCode,
  locale: Locale,
): Promise<string> {
  const { cacheVersion } = market;
  const { period, adjust, start, end, days } = range;
  const key = [cacheVersion, item.id, period, adjust, start, end, days, plan, locale].join('|');
  const cached = candleTexts.get(key);
  if (cached !== undefined) return cached;
  const text = JSON.stringify(await klineOf(market, item, range, plan, locale));
  if (text.length <= MAX_CACHED_CHARS && market.cacheVersion === cacheVersion) candleTexts.set(key, text);
  return text;
}
