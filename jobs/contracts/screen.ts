/**
 * Screens as of a past day, and screens with rules that need more bars than a snapshot has. A job builds the snapshot of
 * the day and evaluates these rules over whole histories; the API process then screens.
 */
import { z } from 'zod';
import { usedColumnSchema } from './backtest.ts';
import { loadSchema } from './load.ts';
import { OPTIMIZE_QUEUE } from './optimize.ts';
import type { QueueContract } from './queue-contract.ts';

export const SCREEN_QUEUE = { ...OPTIMIZE_QUEUE, name: 'screen', runbook: 'snapshot' } as const satisfies QueueContract;

const OWN_COLUMNS = z.array(usedColumnSchema).optional();

/** The instruments that a screen may find. */
const membersFields = {
  /** Their types, if they are not listed. */
  assetTypes: z.array(z.string()).default([]),
  ids: z.array(z.int()).nullable().default(null),
};

/** Rules that need more bars than a snapshot has, or compare instruments, as texts. */
export const longRulesSchema = z.object({
  /** Conditions that must hold together. */
  where: z.array(z.string()),
  values: z.array(z.string()),
  /** The instruments that rules compare with each other. */
  ...membersFields,
  /** Own columns that the rules name. */
  own: OWN_COLUMNS,
});
export type LongRules = z.infer<typeof longRulesSchema>;

const longSessionSchema = z.object({
  /** Ids of the instruments for which it holds, for each condition. */
  holds: z.array(z.array(z.int())),
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

/** Sessions that the history of a screen counts. */
export const HISTORY_SESSIONS = 60;
/** Bars after which a screen that was passed is judged. */
export const FOLLOWED_BARS = 20;

const historySpecSchema = z.object({
  conditions: z.array(
    z.object({ field: z.string(), op: z.string(), period: z.int().nullable(), value: z.number(), value2: z.number() }),
  ),
  /** Conditions as rules. */
  where: z.array(z.string()),
  /** Values as rules. */
  values: z.array(z.string()),
  ...membersFields,
  own: OWN_COLUMNS,
  /** Calendar years whose screens are followed. */
  years: z.int(),
});
export type ScreenHistorySpec = z.infer<typeof historySpecSchema>;

const changeSchema = z.object({
  id: z.int(),
  /** The conditions that turned, by their place. */
  turned: z.array(z.int()),
});

const followedSchema = z.object({
  count: z.int(),
  /** Percent; null, like `rose`: nothing was followed. */
  median: z.number().nullable(),
  /** Percent of them. */
  rose: z.number().nullable(),
});

const mediansSchema = z.object({
  change_pct: z.number().nullable(),
  dollar_volume: z.number().nullable(),
  values: z.array(z.number().nullable()),
});

const historySchema = z.object({
  /** Oldest first. Sessions without a bar of any instrument are left out. */
  sessions: z.array(z.object({ day: z.iso.date(), passing: z.int() })),
  /** Against the session before; null: it is not loaded. */
  changes: z.object({ entered: z.array(changeSchema), left: z.array(changeSchema) }).nullable(),
  /** Sessions in a row at which an instrument that passes has passed. */
  daysIn: z.array(z.object({ id: z.int(), count: z.int() })),
  /** The first session of the years that are followed. */
  followedFrom: z.iso.date(),
  followed: z.object({ passed: followedSchema, all: followedSchema }),
  medians: z.object({ passing: mediansSchema, all: mediansSchema }),
});
export type ScreenHistory = z.infer<typeof historySchema>;

/** An earlier load, and what the tables had after it. */
const screenedLoadSchema = z.object({
  name: loadSchema,
  data_version: z.string(),
  snapshots: z.record(z.string(), z.int()),
});
export type ScreenedLoad = z.infer<typeof screenedLoadSchema>;

/** The version of the data of a snapshot over an earlier load, which that of a day with the same version does not have. */
export function versionOfLoad({ data_version, snapshots }: ScreenedLoad): string {
  return `${data_version} ${Object.values(snapshots).join()}`;
}

export const screenSpecSchema = z.object({
  /** YYYY-MM-DD: a loaded session. */
  asOf: z.iso.date(),
  /** Whether the market is seen as it was then; otherwise with all corrections, on the present snapshot. */
  isPast: z.boolean().default(true),
  /** The load after which the market is seen; null: none was named. */
  load: screenedLoadSchema.nullable().default(null),
  /** The request, with which the API answers. */
  screen: z.unknown(),
  long: longRulesSchema.nullable().default(null),
  history: historySpecSchema.nullable().default(null),
});
export type ScreenSpec = z.infer<typeof screenSpecSchema>;

/** The result of a finished run. */
export const screenResultSchema = z.object({
  /** Null: the present snapshot. */
  snapshot_id: z.int().nullable(),
  long: longFiguresSchema.nullable().default(null),
  history: historySchema.nullable().default(null),
});

/** Snapshots of past days that were not used for so many hours are deleted. */
export const PAST_SNAPSHOT_KEPT_HOURS = 24;
/** Snapshots of past days that are stored at most; each has some 10 MB per thousand instruments. */
export const PAST_SNAPSHOTS_MAX = 12;
