/** Portfolios of target weights: the specification that defines a result. They are runs of the kind `portfolio`. */
import { z } from 'zod';
import { TARGET_PERIODS } from '../../engine/portfolio/clock.ts';
import { FLOW_PERIODS } from '../../engine/portfolio/flows.ts';
import { portfolioSpecSchema } from './portfolio.ts';

/** The strategy that results of target weights name. */
export const TARGETS_STRATEGY = 'targets';

const { strategy, rules, saved, others, allocation, isPointInTime, screenedOn, skipped, ...listed } =
  portfolioSpecSchema.shape;

export const targetSpecSchema = z.object({
  ...listed,
  strategy: z.literal(TARGETS_STRATEGY),
  allocation: z.object({
    /** By symbol, each once. */
    targets: z.array(z.object({ symbol: z.string(), weight: z.number() })),
    rebalance: z.union([z.enum(TARGET_PERIODS), z.object({ bandPct: z.number() })]),
    flows: z.array(z.object({ amount: z.number(), every: z.enum(FLOW_PERIODS) })),
  }),
});
export type TargetSpec = z.infer<typeof targetSpecSchema>;

/** Several portfolios of target weights that one job runs. Accounts do not keep them. */
export const comparedSpecSchema = z.object({
  compare: z.array(z.object({ name: z.string(), spec: targetSpecSchema })),
});
export type ComparedSpec = z.infer<typeof comparedSpecSchema>;

/** Whether a kept run has target weights. */
export function isTargetsOf({ spec }: { readonly spec: unknown }): boolean {
  return typeof spec === 'object' && spec !== null && 'strategy' in spec && spec.strategy === TARGETS_STRATEGY;
}
