/** SQL over the files of the lake: the queue, the specification of a query, and its result. */
import { z } from 'zod';
import { BACKTEST_QUEUE } from '../backtest/contract.ts';
import { OPTIMIZE_QUEUE } from '../optimize/contract.ts';
import type { QueueContract } from '../queue/queue-contract.ts';

export { SQL_VIEWS } from './views.ts';

export const SQL_QUEUE = {
  ...OPTIMIZE_QUEUE,
  name: 'sql',
  runbook: 'sql',
  options: { ...BACKTEST_QUEUE.options, retryLimit: 1 },
} as const satisfies QueueContract;

export const sqlSpecSchema = z.object({ query: z.string(), limit: z.int() });
export type SqlSpec = z.infer<typeof sqlSpecSchema>;

export const SQL_LIMITS = {
  queryChars: 20_000,
  rows: { min: 1, max: 100_000, default: 1_000 },
  seconds: 30,
  /** Limit of DuckDB itself. */
  memoryMb: 512,
  /** Resident memory of the whole process, at which it is killed. */
  processMb: 1_024,
  /** Limit of a result as JSON. */
  resultMb: 32,
} as const;

/** How values of a column are written: dates and times as text, integers beyond 2^53 as text. */
export const SQL_TYPES = ['boolean', 'integer', 'number', 'date', 'text'] as const;

const cellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const sqlResultSchema = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.enum(SQL_TYPES) })),
  rows: z.array(z.array(cellSchema)),
  /** Whether there are more rows than the limit. */
  truncated: z.boolean(),
  elapsed_ms: z.int(),
  /** Newest session in the files. */
  as_of: z.string(),
});
export type SqlResult = z.infer<typeof sqlResultSchema>;
