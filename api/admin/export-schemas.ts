/** Requests and responses of exports. */
import { EXPORT_STATUSES } from '../../db/queue/exports.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { EXPORT_FORMATS } from '../../jobs/contracts/export.ts';
import { adjustField, dateField, instant, symbolField, text, z } from '../http/input/fields.ts';

export const exportSchema = z
  .object({
    id: z.int(),
    status: z.enum(EXPORT_STATUSES),
    owner: z.object({ id: z.int(), email: z.string() }),
    request: z.record(z.string(), z.unknown()),
    progress_pct: z.number().min(0).max(100),
    rows: z.int().nullable(),
    bytes: z.int().nullable(),
    checksum_sha256: z.string().nullable().meta({ description: 'SHA-256 of the file, in hexadecimal digits' }),
    error: z.string().nullable(),
    created_at: instant,
    started_at: instant.nullable(),
    finished_at: instant.nullable(),
    expires_at: instant.meta({ description: 'When the file is removed; the record stays' }),
  })
  .meta({ id: 'Export' });

export const MAX_EXPORT_SYMBOLS = 20_000;

export const exportBody = z.strictObject({
  symbols: z
    .array(symbolField)
    .min(1)
    .max(MAX_EXPORT_SYMBOLS)
    .optional()
    .meta({ description: 'Default: the whole market', example: ['ACRX', 'MTMX.US'] }),
  asset_type: text(1, 50).optional(),
  start: dateField,
  end: dateField.meta({ description: 'Days that may not be distributed yet are left out' }),
  venue_mode: z.enum(VENUE_BASES).default('consolidated'),
  adjust: adjustField.prefault('none'),
  format: z.enum(EXPORT_FORMATS).default('csv'),
});
export type ExportBody = z.output<typeof exportBody>;
