import { ServiceError } from '../../engine/errors.ts';
import { qualifiedSymbol } from '../../engine/symbols.ts';
import { ERROR_STATUS, toServiceError } from '../errors.ts';
import type { z } from '../fields.ts';
import type { Locale } from '../locale.ts';
import { errorText } from '../messages.ts';
import { PLANS, type PlanCode } from '../plans.ts';
import { type Directory, type DirectoryItem, findInstrument, readSymbol } from './directory.ts';
import { type KlineRange, klineOf } from './kline.ts';
import type { MarketView } from './market-view.ts';
import { quoteOf } from './quote.ts';
import type { batchSchema } from './schemas.ts';
import { staticOf } from './static-info.ts';

export interface BatchRequest {
  readonly symbols: readonly string[];
  readonly type: 'quote' | 'static' | 'kline';
  readonly range: KlineRange;
}

type Results = z.input<typeof batchSchema>['results'];

/** Looks up each distinct symbol; one that fails is told in `errors` and spoils nothing. */
export async function batchOf(
  market: MarketView,
  { symbols, type, range }: BatchRequest,
  plan: PlanCode,
  locale: Locale,
): Promise<z.input<typeof batchSchema>> {
  const unique = [...new Set(symbols.map((symbol) => canonical(market.directory, symbol)))];
  const max = PLANS[plan].quotas.batch_symbols_max;
  if (unique.length > max) throw new ServiceError('too_many_symbols', { count: unique.length, plan, max });
  const look: Record<BatchRequest['type'], (item: DirectoryItem) => Promise<Results[string]>> = {
    quote: (item) => quoteOf(market, item, locale),
    static: (item) => staticOf(market, item, locale),
    kline: (item) => klineOf(market, item, range, plan, locale),
  };
  const results: Results = {};
  const errors: { symbol: string; code: number; message: string }[] = [];
  const settled = await Promise.allSettled(
    unique.map(async (symbol) => look[type](findInstrument(market.directory, symbol))),
  );
  settled.forEach((outcome, i) => {
    if (outcome.status === 'fulfilled') results[unique[i]] = outcome.value;
    else errors.push({ symbol: unique[i], ...perSymbolError(outcome.reason, locale) });
  });
  return {
    type,
    requested: unique.length,
    succeeded: unique.length - errors.length,
    failed: errors.length,
    distribution_mode: market.mode,
    results,
    errors,
  };
}

/** `aapl` and `AAPL.US` are one symbol; what is no symbol stays as it was sent. */
function canonical(directory: Directory, text: string): string {
  const parsed = readSymbol(directory, text);
  return parsed.ok ? qualifiedSymbol(parsed.ticker) : text;
}

/** An error of the whole service (a database that is away) is not blamed on a symbol. */
function perSymbolError(reason: unknown, locale: Locale): { code: number; message: string } {
  const error = toServiceError(reason);
  if (error.code === 'internal' || error.code === 'database_unavailable') throw reason;
  return { code: ERROR_STATUS[error.code], message: errorText(error.code, locale, error.details) };
}
