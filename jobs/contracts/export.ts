/** Exports: the queues, and the specification of the rows in a file. */
import { z } from 'zod';
import { civilDate, dayOf, requireDay } from '../../engine/market/dates.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { DAY_S, emptyPayload, HOUR_S, ONE_AT_A_TIME, type QueueContract } from './queue-contract.ts';

/** One export runs at a time in the whole fleet, because it reads the whole market; the others wait. */
export const EXPORT_QUEUE = {
  name: 'export',
  record: 'export',
  runbook: 'exports',
  lane: 'background',
  payload: z.object({ exportId: z.number().int().positive(), requestId: z.string().nullable() }),
  options: {
    policy: 'singleton',
    retryLimit: 3,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 60,
    expireInSeconds: HOUR_S,
    heartbeatSeconds: 15,
    deleteAfterSeconds: 14 * DAY_S,
  },
} as const satisfies QueueContract;

/** Archives of what accounts have kept: one at a time, so that they take no more than one slot from loads. */
export const ACCOUNT_EXPORT_QUEUE = { ...EXPORT_QUEUE, name: 'export.account' } as const satisfies QueueContract;

export const EXPORT_EXPIRE_QUEUE = {
  name: 'export.expire',
  record: null,
  runbook: 'exports',
  lane: 'background',
  payload: emptyPayload,
  options: ONE_AT_A_TIME,
} as const satisfies QueueContract;

export const EXPORT_FORMATS = ['csv', 'csv.gz', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  'csv.gz': 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
} as const satisfies Record<ExportFormat, string>;

export const EXPORT_ADJUSTMENTS = ['none', 'qfq', 'total'] as const;

/** Columns of the file, in their order. */
export const EXPORT_COLUMNS = ['symbol', 'date', 'open', 'high', 'low', 'close', 'volume', 'venue_mode'] as const;

export const exportSpecSchema = z.object({
  /** Served symbols without market; absent: the whole market. */
  symbols: z.array(z.string()).min(1).optional(),
  asset_type: z.string().optional(),
  /** First and last day, both included. */
  start: z.iso.date(),
  end: z.iso.date(),
  venue_mode: z.enum(VENUE_BASES),
  adjust: z.enum(EXPORT_ADJUSTMENTS),
  format: z.enum(EXPORT_FORMATS),
});
export type ExportSpec = z.infer<typeof exportSpecSchema>;

/** The specification of a recorded export. */
export function exportSpecOf({ request }: { readonly request: unknown }): ExportSpec {
  return exportSpecSchema.parse(request);
}

/** Days for which the file of an export is kept. */
export const EXPORT_RETENTION_DAYS = 7;

const SMALL_SYMBOLS = 50;
const SMALL_YEARS = 5;

/** Whether the specification alone shows that an export is small. */
export function isSmallExport({ symbols, start, end }: Pick<ExportSpec, 'symbols' | 'start' | 'end'>): boolean {
  if (symbols === undefined || symbols.length > SMALL_SYMBOLS) return false;
  const { year, month, dayOfMonth } = civilDate(requireDay(start));
  return requireDay(end) <= dayOf(year + SMALL_YEARS, month, dayOfMonth);
}
