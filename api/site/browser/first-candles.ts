/**
 * The candles that an instrument's page shows first. A module of its own, without texts and elements, which runs before the page's
 * others have arrived: on a slow phone the chart is there a third of a second earlier.
 */
import { choiceFromAddress, pathParameter } from './address.ts';
import { path } from './api.ts';
import { ADJUSTMENTS, ALL_BARS, PERIODS } from './series-choices.ts';
import { get, signedInAs } from './session.ts';
import type { Kline } from './types.ts';

/** All candles of an instrument; fewer if the reader's plan has fewer. */
export function loadCandles(
  symbol: string,
  { period, adjust }: { readonly period: string; readonly adjust: string },
  signal?: AbortSignal,
): Promise<Kline> {
  return get(path('/v1/kline/{symbol}', { symbol }), { query: { period, adjust, days: ALL_BARS }, signal });
}

const choice = { period: choiceFromAddress('period', PERIODS), adjust: choiceFromAddress('adjust', ADJUSTMENTS) };
// Members need a token first, and perhaps a dialog to sign in again, which is part of the page.
let first = signedInAs() === null ? loadCandles(pathParameter(), choice) : null;
// Reported where it is used.
first?.catch(() => {});

/** The answer to the first call of a guest, once: later calls are the page's own. */
export function takeFirstCandles(): Promise<Kline> | null {
  const taken = first;
  first = null;
  return taken;
}
