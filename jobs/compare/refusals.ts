/** The reasons for which a comparison cannot be made as it was asked for. */
import type { Comparison } from '../../db/market/comparisons.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import type { Provider } from '../providers/provider.ts';

/** The comparison cannot be made, however often it is tried. */
export class RefusedComparison extends Error {
  override readonly name = 'RefusedComparison';
}

export function assertAnother(own: Provider, other: Provider): void {
  const isSame = own.source.provider === other.source.provider && own.source.folder === other.source.folder;
  if (isSame)
    throw new RefusedComparison(`the market is loaded from ${other.description}: name another provider or folder`);
}

/** The days that may be distributed and that the other provider has published. */
export async function comparableRange(
  provider: Provider,
  { venueBasis, start, end }: Comparison,
  at: number,
): Promise<{ readonly start: Day; readonly end: Day }> {
  const published = await provider.publishedSessions(venueBasis);
  if (!published) throw new RefusedComparison(`${provider.description} has no bars on the venue basis ${venueBasis}`);
  const range = {
    start: Math.max(requireDay(start), published.first),
    end: Math.min(requireDay(end), published.newest, newestDistributableDay(at)),
  };
  if (range.start <= range.end) return range;
  const has = `${formatDay(published.first)} to ${formatDay(published.newest)}`;
  throw new RefusedComparison(`${provider.description} has bars from ${has}, none from ${start} to ${end}`);
}

export async function assertAffordable(
  provider: Provider,
  { venueBasis }: Comparison,
  { start, end }: { readonly start: Day; readonly end: Day },
  maxCostUsd: number,
): Promise<void> {
  const cost = (await provider.estimateCost?.(venueBasis, start, end)) ?? 0;
  if (cost <= maxCostUsd) return;
  throw new RefusedComparison(
    `the provider asks $${cost.toFixed(2)} for these bars, more than MAX_LOAD_COST_USD ($${maxCostUsd}) allows`,
  );
}
