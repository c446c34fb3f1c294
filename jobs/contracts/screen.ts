/**
 * Screens as of a past day, and screens with rules that need more bars than a snapshot has. A job builds the snapshot of
 * the day and evaluates these rules over whole histories; the API process then screens.
 */
import { z } from 'zod';
import { OPTIMIZE_QUEUE } from './optimize.ts';
import type { QueueContract } from './queue-contract.ts';

export const SCREEN_QUEUE = { ...OPTIMIZE_QUEUE, name: 'screen', runbook: 'snapshot' } as const satisfies QueueContract;

/** Rules that need more bars than a snapshot has, or compare instruments, as texts. */
export const longRulesSchema = z.object({
  where: z.string().nullable(),
  values: z.array(z.string()),
  /** Types of the instruments that rules compare with each other. */
  assetTypes: z.array(z.string()).default([]),
});
export type LongRules = z.infer<typeof longRulesSchema>;

const longSessionSchema = z.object({
  /** Ids of the instruments for which the condition holds. */
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
  /** Whether the market is seen as it was then; otherwise with all corrections, on the present snapshot. */
  isPast: z.boolean().default(true),
  /** The request, with which the API answers. */
  screen: z.unknown(),
  long: longRulesSchema.nullable().default(null),
});
export type ScreenSpec = z.infer<typeof screenSpecSchema>;

/** The result of a finished run. */
export const screenResultSchema = z.object({
  /** Null: the present snapshot. */
  snapshot_id: z.int().nullable(),
  long: longFiguresSchema.nullable().default(null),
});

/** Snapshots of past days that were not used for so many hours are deleted. */
export const PAST_SNAPSHOT_KEPT_HOURS = 24;
/** Snapshots of past days that are stored at most; each has some 10 MB per thousand instruments. */
export const PAST_SNAPSHOTS_MAX = 12;
