/** Forward records as the API shows them. */
import { PREDICTED } from '../../engine/forward/bands.ts';
import { instant, z } from '../http/input/fields.ts';

const fraction = z.number();
const hex = z.string().length(64);

const bandSchema = z
  .object({
    session: z.int().min(1).max(PREDICTED),
    p5: z.number(),
    p25: z.number(),
    p50: z.number(),
    p75: z.number(),
    p95: z.number(),
  })
  .meta({ id: 'ForwardBand', description: 'Growth after so many sessions: 1 is none' });

const bandsSchema = z.object({ growth: z.array(bandSchema), excess: z.array(bandSchema) }).meta({ id: 'ForwardBands' });

const placeSchema = z
  .object({ rank: z.int().min(1).max(100), below: z.int(), inside_90: z.boolean() })
  .meta({ id: 'ForwardPlace', description: 'Among the 1,000 paths of the seal after as many sessions' });

const liveSchema = z
  .object({
    sessions: z.int(),
    growth: z.number(),
    market: z.number(),
    place: placeSchema.nullable(),
    place_excess: placeSchema.nullable().meta({ description: 'Of the growth ÷ that of the market' }),
    place_lowered: placeSchema
      .nullable()
      .meta({ description: 'Among paths with a mean lowered by the hurdle of the search' }),
    appraisal: z.number().nullable(),
    appraisal_interval: z.tuple([z.number(), z.number()]).nullable(),
    shrinkage: z.number().nullable().meta({ description: 'Live ÷ sealed appraisal ratio. Null below 60 sessions' }),
  })
  .meta({ id: 'ForwardLive' });

const listed = {
  id: z.int(),
  name: z.string(),
  kind: z.enum(['backtest', 'portfolio']),
  status: z.enum(['live', 'beyond', 'stopped', 'abandoned']).meta({
    description: '`beyond`: it has gone on for longer than was predicted. Ended records stay listed',
  }),
  sealed_at: instant,
  ended_at: instant.nullable(),
  sessions: z.int(),
  last_session: z.iso.date().nullable(),
  seal_sha256: hex,
  head: hex.meta({ description: 'The newest digest of the chain' }),
  sealed: z.object({
    start_date: z.iso.date(),
    end_date: z.iso.date(),
    total_pnl_pct: z.number().nullable(),
    sharpe: z.number().nullable(),
    max_drawdown_pct: z.number().nullable(),
    appraisal: z.number().nullable(),
    skill_shown: z.boolean().nullable(),
  }),
  live: liveSchema.nullable(),
  shared: z.boolean(),
  slug: z.string().nullable(),
  sentences: z.array(z.string()),
};

export const recordSchema = z.object(listed).meta({ id: 'ForwardRecord' });

const pointSchema = z.object({ ts: z.iso.date(), growth: z.number(), market: z.number() });

const { id: _id, shared: _shared, ...shown } = listed;
const detail = {
  of_account: z
    .object({ records: z.int(), ended: z.int() })
    .meta({ description: 'Records of its account, this one included' }),
  seal: z.record(z.string(), z.unknown()).meta({ description: '`seal_sha256` is of its RFC 8785 form' }),
  bands: bandsSchema.nullable(),
  lowered_bands: bandsSchema.nullable(),
  before: z.array(pointSchema).meta({ description: `The last ${PREDICTED} sessions of the sealed run, 1 at its end` }),
  after: z
    .array(pointSchema.extend({ revised: z.number().nullable() }))
    .meta({ description: 'Growth since the seal as it was told; `revised`: by what is known now, where that differs' }),
};

export const recordDetailSchema = z.object({ ...listed, ...detail }).meta({ id: 'ForwardRecordDetail' });
export const sharedRecordSchema = z.object({ ...shown, ...detail }).meta({ id: 'SharedForwardRecord' });

const positionSchema = z.object({ symbol: z.string(), shares: z.number() });
const orderSchema = z.object({ symbol: z.string(), side: z.enum(['buy', 'sell']), reason: z.string() });
const figuresSchema = z.object({ return: fraction, equity: z.number() });

export const entrySchema = z
  .object({
    number: z.int().min(1),
    session: z.iso.date(),
    kind: z.enum(['session', 'revised', 'engine', 'stopped', 'abandoned']),
    entry: z
      .union([
        z.object({
          session: z.iso.date(),
          engine_version: z.string(),
          data_version: z.string(),
          columns: z.array(z.object({ name: z.string(), version: z.int() })),
          positions: z.array(positionSchema),
          orders: z.array(orderSchema),
          return: fraction,
          benchmark: fraction,
          equity: z.number(),
        }),
        z.object({
          kind: z.enum(['revised', 'engine', 'stopped', 'abandoned']),
          session: z.iso.date(),
          before: z.union([figuresSchema, z.string()]).optional(),
          after: z.union([figuresSchema, z.string()]).optional(),
        }),
      ])
      .meta({ description: 'As it was digested' }),
    sha256: hex.meta({ description: 'Of the digest before it in hex, followed by the RFC 8785 form of `entry`' }),
    appended_at: instant,
  })
  .meta({ id: 'ForwardEntry' });
