/** Columns that accounts bring: the queue of their files, what a file says, and the account of its lines. */
import { z } from 'zod';
import { DAY_MEANINGS } from '../../db/research/own-columns.ts';
import { COLUMN_ABOUT, COLUMN_DIMENSIONS, COLUMN_KINDS } from '../../engine/market/own-columns.ts';
import { GROUPS } from '../../engine/rules/functions/across.ts';
import { findFunction } from '../../engine/rules/functions/catalogue.ts';
import { BACKTEST_QUEUE } from './backtest.ts';
import { OPTIMIZE_QUEUE } from './optimize.ts';
import type { QueueContract } from './queue-contract.ts';

export const COLUMN_QUEUE = {
  ...OPTIMIZE_QUEUE,
  name: 'column',
  runbook: 'backtests',
  options: { ...BACKTEST_QUEUE.options, retryLimit: 1 },
} as const satisfies QueueContract;

export const COLUMN_NAME = /^[a-z][a-z0-9_]{0,39}$/;

const WORDS: readonly string[] = ['and', 'or', 'not', 'my', ...GROUPS];

/** Whether a name is a word of the rules language. */
export function isRuleWord(name: string): boolean {
  return WORDS.includes(name) || findFunction(name) !== null;
}

const COLUMN_FORMS = ['rows', 'intervals', 'snapshots'] as const;
const COLUMN_MODES = ['replace', 'append'] as const;
/** The instrument that had a ticker on the date of a row, or the one that has it now. */
const TICKER_MEANINGS = ['as_of_date', 'current'] as const;

const MAX_LAG = 1_000;
const MAX_STALE = 100_000;
const MAX_COLUMN_TEXT = 200;

/** How a file is read. What is absent is as the column has it, or its default. */
export const columnSettingsSchema = z.object({
  kind: z.enum(COLUMN_KINDS).optional(),
  market: z.boolean().optional(),
  lag: z.int().min(0).max(MAX_LAG).optional(),
  dimension: z.enum(COLUMN_DIMENSIONS).optional(),
  unit: z.string().max(MAX_COLUMN_TEXT).optional(),
  form: z.enum(COLUMN_FORMS).optional(),
  mode: z.enum(COLUMN_MODES).optional(),
  about: z.enum(COLUMN_ABOUT).optional(),
  day_means: z.enum(DAY_MEANINGS).optional(),
  stale_after: z.int().min(0).max(MAX_STALE).optional(),
  symbols: z.enum(TICKER_MEANINGS).optional(),
  source: z.string().max(MAX_COLUMN_TEXT).optional(),
  license: z.string().max(MAX_COLUMN_TEXT).optional(),
});
export type ColumnSettings = z.infer<typeof columnSettingsSchema>;

/** How many rows and columns an account may have. */
const columnQuotaSchema = z.object({ plan: z.string(), rows: z.int(), columns: z.int() });
export type ColumnQuota = z.infer<typeof columnQuotaSchema>;

const MEBIBYTE = 1024 * 1024;
/** Bytes of a line that is longer than most. */
const LINE_BYTES = 256;
/** Lines that have no row: headers, and those that are blank, repeated, or rejected. */
const OTHER_LINES = { share: 0.1, lines: 1_000 } as const;

/** How much a file for so many rows may hold, packed or not. */
export interface FileBounds {
  readonly lines: number;
  readonly bytes: number;
}

export const fileBounds = (rows: number): FileBounds => ({
  lines: Math.floor(rows * (1 + OTHER_LINES.share)) + OTHER_LINES.lines,
  bytes: rows * LINE_BYTES + MEBIBYTE,
});

export const columnSpecSchema = z.object({
  name: z.string(),
  /** Whether everyone reads the column. */
  isCommon: z.boolean(),
  /** Key of the object with the file, and its size. */
  key: z.string(),
  bytes: z.int(),
  settings: columnSettingsSchema,
  /** Null: no limits. */
  quota: columnQuotaSchema.nullable(),
});
export type ColumnSpec = z.infer<typeof columnSpecSchema>;

export const lineAccountSchema = z.object({
  layout: z.string(),
  lines: z.int(),
  header: z.int(),
  blank: z.int(),
  loaded: z.int(),
  repeated: z.int(),
  rejected: z.int(),
  left_out: z.int(),
  by_reason: z.record(z.string(), z.int()),
  rejected_lines: z.array(z.object({ line: z.int(), text: z.string(), reason: z.string() })),
  told: z.array(z.string()),
});
export type LineAccount = z.infer<typeof lineAccountSchema>;

const tickersSchema = z.object({
  count: z.int().meta({ description: 'Different tickers, 100,000 at most' }),
  symbols: z.array(z.string()),
});

/** The outcome of a file. */
export const columnResultSchema = z.object({
  columnId: z.int(),
  version: z.int(),
  account: lineAccountSchema,
  /** Rows that were known long before they were sent. */
  backfilled: z.int(),
  /** Tickers of which some rows would be of another instrument by the other meaning of `symbols`. */
  ambiguous_symbols: tickersSchema,
  unknown_symbols: tickersSchema,
});
export type ColumnResult = z.infer<typeof columnResultSchema>;
