/** The origins of bars, and what loads have changed. */
import { ADJUSTMENT_KINDS } from '../../engine/market/adjust.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { instant, z } from '../http/input/fields.ts';

const day = z.iso.date();

export const revisedBarSchema = z
  .object({ open: z.number(), high: z.number(), low: z.number(), close: z.number(), volume: z.number() })
  .meta({ id: 'RevisedBar', description: 'As traded' });
export const revisedEventSchema = z
  .object({ kind: z.enum(ADJUSTMENT_KINDS), ex_date: day, factor: z.number() })
  .meta({ id: 'RevisedEvent' });

const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, z.null()]);

const change = { id: z.int(), symbol: z.string().nullable(), date: day, sync_job_id: z.int().nullable(), at: instant };
export const revisionSchema = z
  .union([
    z.object({
      ...change,
      kind: z.literal('bar'),
      venue_mode: z.enum(VENUE_BASES),
      was: orNull(revisedBarSchema),
      is: orNull(revisedBarSchema),
    }),
    z.object({ ...change, kind: z.literal('event'), was: orNull(revisedEventSchema), is: orNull(revisedEventSchema) }),
  ])
  .meta({ id: 'Revision', description: 'A bar or an event that a load changed after it had been served' });

const sourceSchema = z
  .object({ name: z.string(), bytes: z.int(), sha256: z.string() })
  .meta({ id: 'SourceFile', description: 'As it was read' });
export const explainedBarSchema = z
  .object({
    symbol: z.string(),
    name: z.string(),
    market: z.string(),
    currency: z.string(),
    date: day,
    rows: z.array(
      z.object({
        venue_mode: z.enum(VENUE_BASES),
        in_backtests: z.boolean().meta({ description: 'Whether backtests read this row' }),
        bar: revisedBarSchema,
        loaded_by: z
          .object({ sync_job_id: z.int(), at: instant, sources: z.array(sourceSchema) })
          .nullable()
          .meta({ description: 'The newest load that wrote or confirmed it; null: not recorded at that time' }),
        revisions: z.array(
          z.object({
            was: orNull(revisedBarSchema),
            is: orNull(revisedBarSchema),
            sync_job_id: z.int().nullable(),
            at: instant,
          }),
        ),
      }),
    ),
    events: z.array(revisedEventSchema).meta({ description: 'After the date; their factors adjust its prices' }),
    price_factor: z.object({ split: z.number(), total: z.number() }),
  })
  .meta({ id: 'ExplainedBar' });
