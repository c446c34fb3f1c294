/** Reads what the provider has published; logs once when it stops answering and once when it answers again. */
import type { Logger } from 'pino';
import { recordMarketSource, saveConsolidatedFrom } from '../../db/market/market-source.ts';
import { type ProviderRange, saveProviderRanges, selectProviderRanges } from '../../db/market/provider-ranges.ts';
import type { Pool } from '../../db/pool.ts';
import { SERVED_VENUE_BASES, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { type Provider, ProviderError } from '../providers/provider.ts';

export interface PublishedOptions {
  readonly pool: Pool;
  readonly provider: Provider;
  readonly now: () => number;
  readonly log: Logger;
}

export interface Published {
  readonly ranges: readonly ProviderRange[];
  /** Whether the provider does not answer and the ranges are those of an earlier answer. */
  readonly isUnreachable: boolean;
}

/** Served venue bases come first, so that histories are complete as soon as possible. */
const LOAD_ORDER: readonly VenueBasis[] = [...SERVED_VENUE_BASES, 'single_venue'];

/** Providers that do not answer, and since when in monotonic milliseconds. */
const awaySince = new WeakMap<Provider, number>();

/** Reads and records the published ranges. If the provider fails, returns the recorded ones. */
export async function refreshRanges(options: PublishedOptions): Promise<Published> {
  const { pool, provider, now, log } = options;
  const ranges: ProviderRange[] = [];
  try {
    for (const venueBasis of LOAD_ORDER) {
      const published = await provider.publishedSessions(venueBasis);
      if (published) ranges.push({ venueBasis, firstSession: published.first, newestSession: published.newest });
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    noteOutage(provider, error.message, log);
    return { ranges: await selectProviderRanges(pool), isUnreachable: true };
  }
  noteReturn(provider, log);
  const at = new Date(now());
  if (ranges.length > 0) {
    await recordMarketSource(pool, provider.source, at);
    await saveConsolidatedFrom(pool, (await provider.consolidatedFrom?.()) ?? null);
  }
  await saveProviderRanges(pool, provider.id, ranges, at);
  return { ranges, isUnreachable: false };
}

function noteOutage(provider: Provider, reason: string, log: Logger): void {
  if (awaySince.has(provider)) return;
  awaySince.set(provider, performance.now());
  log.error({ outage: 'provider', reason }, 'the provider does not answer');
}

function noteReturn(provider: Provider, log: Logger): void {
  const since = awaySince.get(provider);
  if (since === undefined) return;
  awaySince.delete(provider);
  const seconds = Math.round((performance.now() - since) / 100) / 10;
  log.warn({ outage: 'provider', seconds }, 'the provider answers again');
}
