/** The calendar of loads as the API answers it. */
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { SESSION_STATUSES } from '../../jobs/quality/calendar.ts';
import { instant, listSchema, z } from '../http/input/fields.ts';
import { day } from '../market/schemas.ts';

const entrySchema = z.object({
  venue_mode: z.enum(VENUE_BASES),
  status: z.enum(SESSION_STATUSES),
  expected: z.int().nullable().meta({ description: 'The rows of the previous loaded session' }),
  loaded: z.int(),
  rejected: z.int(),
  missing: z.int(),
  problems: z.array(z.string()).meta({ description: 'Why the screener holds the session back, or has held it back' }),
  released_by: z.string().nullable(),
  loaded_at: instant.nullable(),
});
export const calendarSchema = listSchema(
  z.object({ date: day, early_close: z.boolean(), venue_modes: z.array(entrySchema) }),
);
