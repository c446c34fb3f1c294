/** Sync jobs: their queues, and the specification of what to load. */
import { z } from 'zod';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { DAY_S, HOUR_S, type QueueContract } from './queue-contract.ts';

/** Sync jobs of a kind run one at a time in the whole fleet. */
const LOAD = {
  record: 'sync',
  runbook: 'loads',
  lane: 'background',
  payload: z.object({ syncJobId: z.number().int().positive(), requestId: z.string().nullable() }),
  options: {
    policy: 'singleton',
    retryLimit: 3,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: 600,
    expireInSeconds: 6 * HOUR_S,
    heartbeatSeconds: 15,
    deleteAfterSeconds: 14 * DAY_S,
  },
} as const satisfies Omit<QueueContract, 'name'>;

export const SYNC_SYMBOLS_QUEUE = { name: 'sync.symbols', ...LOAD } as const;
export const SYNC_ADJUSTMENTS_QUEUE = { name: 'sync.adjustments', ...LOAD } as const;
export const SYNC_DAILY_BARS_QUEUE = { name: 'sync.daily_bars', ...LOAD } as const;

export const syncSpecSchema = z.object({
  /** First and last day, both included (daily bars). */
  start: z.iso.date().optional(),
  end: z.iso.date().optional(),
  /** Only these served symbols, without market (daily bars). */
  symbols: z.array(z.string()).min(1).max(10_000).optional(),
  /** Only this venue basis (daily bars). */
  venue_mode: z.enum(VENUE_BASES).optional(),
  /** The session for which the job is due; recorded as done when it succeeds (symbols, adjustments). */
  through: z.iso.date().optional(),
  /** The state of the files that the job reads (symbols, adjustments). */
  files: z.string().optional(),
  /** A file: bars or events that vanished with it are removed, and nothing is loaded. Null tickers: those of all instruments. */
  forget: z.object({ path: z.string(), tickers: z.array(z.string()).nullable() }).optional(),
});
export type SyncSpec = z.infer<typeof syncSpecSchema>;
