/** Scheduled portfolios that hold the best of a universe: the specification that defines a result. They are runs of the kind `portfolio`. */
import { z } from 'zod';
import { WEIGHT_METHODS } from '../../engine/rotation/weights/methods.ts';
import { backtestSpecSchema, instrumentSchema } from './backtest.ts';
import { portfolioSpecSchema, skippedSymbolsSchema } from './portfolio.ts';
import { comparedSpecSchema, targetSpecSchema } from './targets.ts';

const {
  instrumentId,
  symbol,
  listedOn,
  delistedOn,
  isEtf: _isEtf,
  strategy,
  rules,
  saved,
  ...common
} = backtestSpecSchema.shape;

/** The strategy that results of rotations name. */
export const ROTATION_STRATEGY = 'rotation';

/** Rebalances of a result that its first answer has; a page of `/rebalances` has the others. */
export const FIRST_REBALANCES = 500;

/** A whole number, or the `$parameter` that has it. */
const count = z.union([z.int(), z.string()]);
const nameCount = z.union([z.object({ top: count }), z.object({ topPct: z.number() })]);

const membersMax = z.object({ plan: z.string(), max: z.int() });
/** As it was kept before the plan was named: no other plan had a limit. */
const numberOfFree = z.int().transform((max) => ({ plan: 'free', max }));

export const rotationSpecSchema = z.object({
  ...common,
  strategy: z.literal(ROTATION_STRATEGY),
  universe: z.object({
    /** By symbol, each once; null: every instrument. */
    instruments: z.array(instrumentSchema).nullable(),
    /** Null: of all types. */
    assetTypes: z.array(z.string()).nullable(),
    skipped: skippedSymbolsSchema.nullable(),
  }),
  /** Rules as text; validated when they were requested. */
  texts: z.object({
    score: z.string(),
    where: z.string().optional(),
    market_filter: z.string().optional(),
    stop: z.string().optional(),
    trail: z.string().optional(),
  }),
  every: z.union([z.enum(['week', 'month', 'quarter']), z.object({ sessions: count })]),
  offset: z.int(),
  order: z.enum(['asc', 'desc']),
  hold: nameCount,
  keep: nameCount.nullable(),
  weights: z.object({
    method: z.enum(WEIGHT_METHODS),
    lookback: z.int(),
    covariance: z.enum(['sample', 'ledoit_wolf']),
    bounds: z.object({ min: z.number(), max: z.number() }),
    targetVolatilityPct: z.number().nullable(),
    /** By symbol; null unless the method is `fixed`. */
    fixed: z.record(z.string(), z.number()).nullable(),
  }),
  exits: z.object({ stopLossPct: z.number(), takeProfitPct: z.number() }).nullable(),
  cashBufferPct: z.number(),
  /** Null: equal weights. */
  benchmark: instrumentSchema.nullable(),
  /** Whether it is run again on those that have a bar on the last session. */
  survivors: z.boolean(),
  /** Names that the plan allows to be ever eligible; null: any number. */
  membersMax: z.union([membersMax, numberOfFree]).nullable(),
});
export type RotationSpec = z.infer<typeof rotationSpecSchema>;

/** The names that a rotation holds, as they are requested. */
export const countView = (count: RotationSpec['hold']) =>
  'top' in count ? { top: count.top } : { top_pct: count.topPct };

/** A universe as it is requested. */
export function universeView({
  universe: { instruments, assetTypes },
  texts: { where },
}: Pick<RotationSpec, 'universe'> & { readonly texts: Pick<RotationSpec['texts'], 'where'> }) {
  const of = instruments === null ? { all: true as const } : { symbols: instruments.map(({ symbol }) => symbol) };
  return { ...of, asset_type: assetTypes ?? undefined, where };
}

/** A portfolio of any form. */
export const portfolioRunSpecSchema = z.union([
  rotationSpecSchema,
  targetSpecSchema,
  comparedSpecSchema,
  portfolioSpecSchema,
]);

/** Whether a kept run is a rotation. */
export function isRotationOf({ spec }: { readonly spec: unknown }): boolean {
  return typeof spec === 'object' && spec !== null && 'universe' in spec;
}
