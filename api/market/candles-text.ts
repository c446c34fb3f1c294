import type { PlanCode } from '../access/plans.ts';
import type { Locale } from '../http/language/locale.ts';
import type { DirectoryItem } from './directory.ts';
import { type KlineRange, klineOf } from './kline.ts';
import type { Services } from './services.ts';

/** Longer texts are not cached, because a few of them would displace all others. */
const MAX_KEPT_CHARS = 128 * 1024;

/** Candles of an instrument as JSON text, cached until anything that they depend on changes. */
export async function candlesText(
  { market, candleTexts }: Pick<Services, 'market' | 'candleTexts'>,
  item: DirectoryItem,
  range: KlineRange,
  plan: PlanCode,
  locale: Locale,
): Promise<string> {
  const { cacheVersion } = market;
  const { period, adjust, start, end, days } = range;
  const key = [cacheVersion, item.id, period, adjust, start, end, days, plan, locale].join('|');
  const kept = candleTexts.get(key);
  if (kept !== undefined) return kept;
  const text = JSON.stringify(await klineOf(market, item, range, plan, locale));
  if (text.length <= MAX_KEPT_CHARS && market.cacheVersion === cacheVersion) candleTexts.set(key, text);
  return text;
}
