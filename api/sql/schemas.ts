/** Responses of SQL queries. */
import { SQL_TYPES } from '../../jobs/contracts/sql.ts';
import { z } from '../http/input/fields.ts';
import { stateOf } from '../runs/schemas.ts';

export const sqlSchema = z
  .object({
    columns: z.array(z.object({ name: z.string(), type: z.enum(SQL_TYPES) })),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
    truncated: z.boolean(),
    elapsed_ms: z.int(),
    as_of: z.string(),
  })
  .meta({ id: 'QueryResult' });

export const sqlStateSchema = stateOf(sqlSchema);
