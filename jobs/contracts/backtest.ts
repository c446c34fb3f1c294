/** Backtests: their queue, and the specification that defines a result. */

import { z } from 'zod';
import { DAY_MEANINGS } from '../../db/research/own-columns.ts';
import { EXECUTE_ON } from '../../engine/backtest/execution.ts';
import { ADJUST_MODES } from '../../engine/market/adjust.ts';
import { COLUMN_ABOUT, COLUMN_DIMENSIONS, COLUMN_KINDS } from '../../engine/market/own-columns.ts';
import { TIME_RANGES } from '../../engine/market/time-range.ts';
import { HOUR_S, type QueueContract } from './queue-contract.ts';

const payload = z.object({ runId: z.uuid(), requestId: z.string().nullable() });

/** A caller waits for the answer: a failure is retried soon, but not so often that a short outage uses up all attempts. */
const OPTIONS = {
  policy: 'standard',
  retryLimit: 3,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 4,
  expireInSeconds: 120,
  heartbeatSeconds: 10,
  retentionSeconds: HOUR_S,
  deleteAfterSeconds: HOUR_S,
} as const;

export const BACKTEST_QUEUE = {
  name: 'backtest',
  record: 'run',
  runbook: 'backtests',
  lane: 'interactive',
  payload,
  options: OPTIONS,
} as const satisfies QueueContract;

/** Large parts of a result. Each is a stored object of a kept backtest. */
export const BACKTEST_PARTS = ['trades', 'klines', 'equity'] as const;

const day = z.int();

export const instrumentSchema = z.object({
  instrumentId: z.int(),
  /** `<TICKER>.US` */
  symbol: z.string(),
  listedOn: day.nullable(),
  delistedOn: day.nullable(),
  /** Absent in runs of earlier versions. */
  isEtf: z.boolean().optional(),
});
export type SpecInstrument = z.infer<typeof instrumentSchema>;

export const MAX_FACTORS = 5;

/** The instruments that the tear sheet of a run compares it with. */
export const comparisonSchema = z.object({
  /** Null: holding the instrument of a backtest, or the benchmark of a portfolio. */
  benchmark: instrumentSchema.nullable(),
  factors: z.array(instrumentSchema).max(MAX_FACTORS),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** Rules as text; validated when they were requested. */
const ruleTextsSchema = z.object({
  entry: z.string(),
  exit: z.string().optional(),
  stop: z.string().optional(),
  trail: z.string().optional(),
});

/** A version of a saved strategy. */
const savedReferenceSchema = z.object({ id: z.int(), version: z.int(), name: z.string() });
export type SavedReference = z.infer<typeof savedReferenceSchema>;

/** An instrument that rules name, by the ticker that they use. */
const namedInstrumentSchema = z.object({ ticker: z.string(), instrumentId: z.int() });
export type NamedInstrument = z.infer<typeof namedInstrumentSchema>;

/** An own column that rules name, with the version that is read, and how. */
export const usedColumnSchema = z.object({
  name: z.string(),
  owner: z.enum(['account', 'everyone']),
  columnId: z.int(),
  /** The first version whose rows it has. */
  base: z.int(),
  version: z.int(),
  /** Digest of its rows, in hex. */
  sha256: z.string(),
  kind: z.enum(COLUMN_KINDS),
  isMarket: z.boolean(),
  dimension: z.enum(COLUMN_DIMENSIONS),
  about: z.enum(COLUMN_ABOUT),
  /** Absent in the specifications of earlier runs. */
  dayMeans: z.enum(DAY_MEANINGS).optional(),
  staleAfter: z.int().nullable(),
  unit: z.string().nullable(),
});
export type UsedColumn = z.infer<typeof usedColumnSchema>;

/** Everything that defines the result of a backtest; its job uses no default and no clock. */
export const backtestSpecSchema = z.object({
  ...instrumentSchema.shape,
  strategy: z.string(),
  /** Only for the strategy `rules`. */
  rules: ruleTextsSchema.optional(),
  /** The saved strategy that has the rules. */
  saved: savedReferenceSchema.optional(),
  /** Other instruments that the rules name, by ticker. Absent: none. */
  others: z.array(namedInstrumentSchema).optional(),
  /** Own columns that the rules name, by name. Absent: none. */
  columns: z.array(usedColumnSchema).optional(),
  params: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
  timeRange: z.enum(TIME_RANGES),
  start: day.nullable(),
  end: day.nullable(),
  adjust: z.enum(ADJUST_MODES),
  execution: z.object({
    executeOn: z.enum(EXECUTE_ON),
    commissionRate: z.number(),
    minCommission: z.number(),
    slippageBps: z.number(),
    initialCapital: z.number(),
  }),
  /** Interest on cash; `rate`: percent a year, or the name of a column. Absent: none. */
  cash: z.object({ rate: z.union([z.number(), z.string()]), spreadBps: z.number() }).optional(),
  /** The column of the risk-free rate. Absent: that of cash, or 0. */
  riskFree: z.string().optional(),
  /** Whether the caller specified no costs. */
  isCostless: z.boolean(),
  /** The newest day that may be distributed, and the newest session of it that is loaded. */
  asOf: day,
  dataAsOf: day.nullable(),
  distributionMode: z.string(),
  /** Absent in jobs that an earlier version queued. */
  includeStatistics: z.boolean().default(true),
  /** Asks for a tear sheet, which is no part of the result: absent, there is none. */
  tearSheet: comparisonSchema.optional(),
});
export type BacktestSpec = z.infer<typeof backtestSpecSchema>;

/** The part of a specification that runs of every kind have. */
export type RunSpec = Omit<BacktestSpec, 'instrumentId' | 'symbol' | 'listedOn' | 'delistedOn' | 'isEtf'>;

/** The rates of a run, some of which may be columns. */
export type NamedRates = Pick<RunSpec, 'cash' | 'riskFree'>;

/** The names of columns among the rates of a run. */
export function rateNames({ cash, riskFree }: NamedRates): string[] {
  return [...new Set([cash?.rate, riskFree].filter((rate) => typeof rate === 'string'))];
}
