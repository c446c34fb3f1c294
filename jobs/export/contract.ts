/** What an export is asked to hold, and where its file goes. */
import { z } from 'zod';
import type { ExportRecord } from '../../db/back-office/exports.ts';
import { civilDate, type Day, dayOf, parseDay } from '../../engine/market/dates.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { userObjectsPrefix } from '../storage/remove-objects.ts';

export const EXPORT_FORMATS = ['csv', 'csv.gz', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  'csv.gz': 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
} as const satisfies Record<ExportFormat, string>;

export const EXPORT_ADJUSTMENTS = ['none', 'qfq'] as const;

export const exportRequestSchema = z.object({
  /** Served symbols without market; left out: the whole market. */
  symbols: z.array(z.string()).min(1).optional(),
  asset_type: z.string().optional(),
  /** First and last day, both included. */
  start: z.iso.date(),
  end: z.iso.date(),
  venue_mode: z.enum(VENUE_BASES),
  adjust: z.enum(EXPORT_ADJUSTMENTS),
  format: z.enum(EXPORT_FORMATS),
});
export type ExportRequest = z.infer<typeof exportRequestSchema>;

export const EXPORT_RETENTION_DAYS = 7;

const SMALL_SYMBOLS = 50;
const SMALL_YEARS = 5;

/** Whether an export is known to be small before any row is read. */
export function isSmallExport({ symbols, start, end }: Pick<ExportRequest, 'symbols' | 'start' | 'end'>): boolean {
  if (symbols === undefined || symbols.length > SMALL_SYMBOLS) return false;
  const { year, month, dayOfMonth } = civilDate(parseDay(start) as Day);
  return (parseDay(end) as Day) <= dayOf(year + SMALL_YEARS, month, dayOfMonth);
}

/** Where the file of an attempt is stored: each attempt has a key of its own, so that a slow one never spoils another. */
export function exportObjectKey(exported: Pick<ExportRecord, 'id' | 'userId' | 'attempts' | 'request'>): string {
  const { format } = exported.request as ExportRequest;
  return `${userObjectsPrefix(exported.userId)}exports/${exported.id}/${exported.attempts}.${format}`;
}
