/** Responses about evidence. */
import { ADJUSTMENT_KINDS } from '../../engine/market/adjust.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { instant, z } from '../http/input/fields.ts';
import { lookAheadSchema, receiptSchema, verdictField } from '../runs/evidence-schemas.ts';
import { stateOf } from '../runs/schemas.ts';

const day = z.iso.date();

const barSchema = z
  .object({ open: z.number(), high: z.number(), low: z.number(), close: z.number(), volume: z.number() })
  .meta({ id: 'RevisedBar', description: 'As traded' });
const eventSchema = z
  .object({ kind: z.enum(ADJUSTMENT_KINDS), ex_date: day, factor: z.number() })
  .meta({ id: 'RevisedEvent' });

const ofPortfolio = z.string().optional();
const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, z.null()]);
const past = <S extends z.ZodType>(schema: S) =>
  z.union([schema, z.literal('unknown'), z.null()]).meta({
    description: 'Null: there was none. `unknown`: revisions do not reach back to the run',
  });
const sameAtLoad = z.boolean().nullable();
const differences = <S extends z.ZodType>(item: S) =>
  z.object({ total: z.int(), items: z.array(item).meta({ description: 'The first 200' }) });

export const verificationSchema = z
  .object({
    verdict: verdictField,
    reasons: z.array(z.string()).meta({ description: 'Everything that has changed' }),
    verified_at: instant,
    engine: z.object({ was: z.string().nullable(), is: z.string() }),
    receipt: z.object({ was: orNull(receiptSchema), is: orNull(receiptSchema) }),
    snapshot: orNull(
      z.object({
        table: z.string(),
        snapshot_id: z.int(),
        committed_at: instant,
        same_data: sameAtLoad.meta({ description: 'Whether that load has the data of the receipt' }),
        same_result: sameAtLoad.meta({
          description: 'Whether this engine computes the result of the receipt from them. Null: not computed',
        }),
      }),
    )
      .optional()
      .meta({ description: 'Snapshot of the Iceberg table with the bars of the receipt; null: none is kept' }),
    bars: differences(z.object({ symbol: ofPortfolio, date: day, was: past(barSchema), is: orNull(barSchema) })),
    events: differences(
      z.object({ symbol: ofPortfolio, ex_date: z.string(), was: past(eventSchema), is: orNull(eventSchema) }),
    ),
    metrics: z.array(z.object({ name: z.string(), was: z.number().nullable(), is: z.number().nullable() })),
  })
  .meta({ id: 'Verification' });

export const verificationStateSchema = stateOf(verificationSchema);
export const lookAheadStateSchema = stateOf(lookAheadSchema);

const change = { id: z.int(), symbol: z.string().nullable(), date: day, sync_job_id: z.int().nullable(), at: instant };
export const revisionSchema = z
  .union([
    z.object({
      ...change,
      kind: z.literal('bar'),
      venue_mode: z.enum(VENUE_BASES),
      was: orNull(barSchema),
      is: orNull(barSchema),
    }),
    z.object({ ...change, kind: z.literal('event'), was: orNull(eventSchema), is: orNull(eventSchema) }),
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
        bar: barSchema,
        loaded_by: z
          .object({ sync_job_id: z.int(), at: instant, sources: z.array(sourceSchema) })
          .nullable()
          .meta({ description: 'The newest load that wrote or confirmed it; null: not recorded at that time' }),
        revisions: z.array(
          z.object({ was: orNull(barSchema), is: orNull(barSchema), sync_job_id: z.int().nullable(), at: instant }),
        ),
      }),
    ),
    events: z.array(eventSchema).meta({ description: 'After the date; their factors adjust its prices' }),
    price_factor: z.object({ split: z.number(), total: z.number() }),
  })
  .meta({ id: 'ExplainedBar' });
