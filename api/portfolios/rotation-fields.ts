/** The fields of rotations in requests of portfolios. */
import { CASH_BUFFER_RANGE } from '../../engine/portfolio/portfolio.ts';
import { OFFSET_RANGE, SESSIONS_RANGE } from '../../engine/rotation/rotation.ts';
import { TOP_RANGE } from '../../engine/rotation/selection.ts';
import { LOOKBACK_RANGE, WEIGHT_METHODS } from '../../engine/rotation/weights/methods.ts';
import { MAX_PORTFOLIO_SYMBOLS } from '../../jobs/contracts/portfolio.ts';
import { symbolField, z } from '../http/input/fields.ts';
import { ruleText } from '../rules/fields.ts';

const parameterName = z
  .string()
  .regex(/^\$[A-Za-z][A-Za-z0-9_]{0,31}$/)
  .meta({ description: 'A `$parameter`' });
const countField = (range: { readonly min: number; readonly max: number }) =>
  z.union([z.int().min(range.min).max(range.max), parameterName]);

const nameCount = z.union([
  z.strictObject({ top: countField(TOP_RANGE) }),
  z.strictObject({ top_pct: z.number().positive().max(100) }),
]);

const assetType = z.string().regex(/^[a-z_]{1,32}$/);
const where = ruleText.optional().meta({
  description: 'A condition, at each rebalance: those that meet it are ranked. It may compare the members',
  example: 'close > 5 and top(sma_of(dollar_volume, 20), 500)',
});

export const universeField = z
  .strictObject({
    symbols: z.array(symbolField).min(1).max(MAX_PORTFOLIO_SYMBOLS).optional(),
    all: z.literal(true).optional(),
    asset_type: z
      .union([assetType, z.array(assetType).min(1).max(20)])
      .optional()
      .meta({ description: 'With `all`. Default: every type' }),
    where,
  })
  .meta({
    id: 'RotationUniverse',
    description:
      'Either `symbols` or `all`: every instrument with a bar at the session, delisted and renamed ones included',
  });

const weightsField = z
  .strictObject({
    method: z.enum(WEIGHT_METHODS).default('equal'),
    lookback: z.int().min(LOOKBACK_RANGE.min).max(LOOKBACK_RANGE.max).default(252).meta({ description: 'Sessions' }),
    covariance: z.enum(['sample', 'ledoit_wolf']).default('sample'),
    max_weight: z.number().positive().max(1).default(1),
    min_weight: z.number().min(0).max(1).default(0).meta({
      description: 'Only with `min_variance` and `max_diversification`',
    }),
    fixed: z.record(z.string(), z.number().min(0).max(1)).optional().meta({
      description: 'With the method `fixed`: symbol → weight, 1 at most in all. A name without one has 0',
    }),
  })
  .meta({ id: 'RotationWeights' });

const exitsField = z
  .strictObject({
    stop_loss_pct: z.number().min(0).max(100).default(0),
    take_profit_pct: z.number().min(0).max(1_000).default(0),
    stop: ruleText.optional().meta({ description: 'A price, as in the rules of a strategy' }),
    trail: ruleText.optional().meta({ description: 'A price that only rises, as in the rules of a strategy' }),
  })
  .meta({ id: 'RotationExits', description: 'Looked at on every session but those of rebalances' });

export const rotationField = z
  .strictObject({
    every: z
      .union([z.enum(['week', 'month', 'quarter']), z.strictObject({ sessions: countField(SESSIONS_RANGE) })])
      .meta({ description: 'The last session of each period, or every so many sessions' }),
    offset: z.int().min(OFFSET_RANGE.min).max(OFFSET_RANGE.max).default(0).meta({ description: 'Sessions later' }),
    score: ruleText.meta({
      description: 'A value that the members are ranked by',
      example: 'rank(roc(126)) + rank(-volatility(63))',
    }),
    order: z.enum(['desc', 'asc']).default('desc'),
    hold: nameCount,
    keep: nameCount.optional().meta({ description: 'Names that are held stay while they rank within it' }),
    weights: weightsField.prefault({}),
    target_volatility_pct: z.number().positive().max(1_000).optional(),
    market_filter: ruleText.optional().meta({
      description: 'A condition on other instruments: while it is false nothing is held',
      example: "of('SPY', close > sma(200))",
    }),
    exits: exitsField.optional(),
  })
  .meta({ id: 'Rotation' });

export const cashBufferField = z.number().min(CASH_BUFFER_RANGE.min).max(CASH_BUFFER_RANGE.max);
