/**
 * Screens as of a past day, and screens whose rules need more bars than a snapshot has: a job builds the snapshot of
 * the day and computes what needs whole histories. The API process then screens.
 */
import { z } from 'zod';
import { OPTIMIZE_QUEUE } from './optimize.ts';
import type { QueueContract } from './queue-contract.ts';

export const SCREEN_QUEUE = { ...OPTIMIZE_QUEUE, name: 'screen', runbook: 'snapshot' } as const satisfies QueueContract;

/** Rules that need more bars than a snapshot has, as texts. */
export const longRulesSchema = z.object({ where: z.string().nullable(), values: z.array(z.string()) });
export type LongRules = z.infer<typeof longRulesSchema>;

const longSessionSchema = z.object({
  /** Ids of the instruments of which the condition holds. */
  holds: z.array(z.int()),
  /** Each value, by instrument; null: undefined. */
  values: z.array(z.array(z.number().nullable())),
});

const longFiguresSchema = z.object({
  /** The instruments. */
  ids: z.array(z.int()),
  /** The session of the screen, and the one before. */
  sessions: z.tuple([longSessionSchema, longSessionSchema]),
  /** Whether any history holds bars of the primary session. */
  isMixed: z.boolean(),
});
export type LongFigures = z.infer<typeof longFiguresSchema>;

export const screenSpecSchema = z.object({
  /** YYYY-MM-DD: a loaded session. */
  asOf: z.iso.date(),
  /** Whether the market is seen as it was then; otherwise with all corrections, over the snapshot of the present. */
  isPast: z.boolean().default(true),
  /** The screen, to answer with the result. */
  screen: z.unknown(),
  long: longRulesSchema.nullable().default(null),
});
export type ScreenSpec = z.infer<typeof screenSpecSchema>;

/** The result of a finished run. */
export const screenResultSchema = z.object({
  /** Null: that of the present. */
  snapshot_id: z.int().nullable(),
  long: longFiguresSchema.nullable().default(null),
});

/** Snapshots of past days that were not used for this long are deleted. */
export const PAST_SNAPSHOT_KEPT_HOURS = 24;
/** Kept at most; each has some 10 MB a thousand instruments. */
export const PAST_SNAPSHOTS_MAX = 12;
