/** The fields of target weights in requests of portfolios. */
import { TARGET_PERIODS } from '../../engine/portfolio/clock.ts';
import { FLOW_PERIODS } from '../../engine/portfolio/flows.ts';
import { symbolField, z } from '../http/input/fields.ts';
import type { Problem } from '../http/input/problems.ts';

const MAX_TARGETS = 50;
const MAX_FLOWS = 20;
/** Money: far above any capital, and far below what a number holds. */
const MAX_AMOUNT = 1e12;

const NOT_ZERO: Problem = { code: 'not_zero' };

const targets = z
  .array(z.strictObject({ symbol: symbolField, weight: z.number().positive().max(1) }))
  .min(1)
  .max(MAX_TARGETS)
  .meta({
    description: 'Shares of the whole value to hold, at most 1 in all; the rest is cash. Instead of a strategy',
  });

const rebalance = z
  .union([z.enum(TARGET_PERIODS), z.strictObject({ band_pct: z.number().positive() })])
  .optional()
  .meta({
    default: 'none',
    description:
      'Brings positions back to their targets on the last session of each period; without `targets` only those that deviate by ' +
      '5% or more. `year` and `band_pct` (once a weight is more than so many points off) only with `targets`',
  });

const flows = z
  .array(
    z.strictObject({
      amount: z
        .number()
        .min(-MAX_AMOUNT)
        .max(MAX_AMOUNT)
        .refine((amount) => amount !== 0, { params: { problem: NOT_ZERO } })
        .meta({ description: 'Below 0: taken out' }),
      every: z.enum(FLOW_PERIODS),
    }),
  )
  .max(MAX_FLOWS)
  .optional()
  .meta({
    description:
      'With `targets`: money in, shared by the weights, or out, on the first session of each period after the start',
  });

/** Beside the fields of strategies. */
export const targetFields = { targets: targets.optional(), rebalance, flows };

const targetAllocation = z.strictObject({ targets, rebalance, flows }).meta({ id: 'TargetAllocation' });
export type GivenTargets = z.output<typeof targetAllocation>;

export const compareField = z
  .array(z.strictObject({ name: z.string().trim().min(1).max(64), allocation: targetAllocation }))
  .min(2)
  .max(3)
  .meta({ description: 'Instead of `allocation`: portfolios of target weights that one job runs; none is kept' });
export type GivenCompare = z.output<typeof compareField>;
