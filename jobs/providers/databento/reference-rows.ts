/** Rows of the reference datasets: which are asked for, and how one is read. */
import type { z } from 'zod';

/** Every US listing. */
export const MASTER = { symbols: 'ALL_SYMBOLS', stype_in: 'raw_symbol', countries: 'US', compression: 'zstd' } as const;

/** Rows that do not name both exchanges count as main listings. */
export function isMainListing(row: {
  readonly exchange?: string | null;
  readonly primary_exchange?: string | null;
}): boolean {
  return !row.exchange || !row.primary_exchange || row.exchange === row.primary_exchange;
}

export function parseRow<T extends z.ZodType>(schema: T, content: string): z.output<T> | null {
  try {
    const parsed = schema.safeParse(JSON.parse(content));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
