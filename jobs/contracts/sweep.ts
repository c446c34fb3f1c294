/** Sweeps: their queues, and the specification that defines every cell. */
import { z } from 'zod';
import { backtestSpecSchema, instrumentSchema, type UsedColumn } from './backtest.ts';
import { skippedSymbolsSchema } from './portfolio.ts';
import { DAY_S, type QueueContract } from './queue-contract.ts';

const OPTIONS = {
  policy: 'standard',
  retryLimit: 4,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  expireInSeconds: 900,
  heartbeatSeconds: 10,
  retentionSeconds: 14 * DAY_S,
  deleteAfterSeconds: DAY_S,
} as const;

/** Computes the cells of some instruments. */
export const SWEEP_CHUNK_QUEUE = {
  name: 'sweep.chunk',
  record: 'sweep',
  runbook: 'sweeps',
  lane: 'sweep',
  payload: z.object({ sweepId: z.uuid(), seq: z.int().min(0), requestId: z.string().nullable() }),
  options: OPTIONS,
} as const satisfies QueueContract;

/** Makes the result and the file of a sweep whose chunks are all done. */
export const SWEEP_ASSEMBLE_QUEUE = {
  name: 'sweep.assemble',
  record: 'sweep',
  runbook: 'sweeps',
  lane: 'sweep',
  payload: z.object({ sweepId: z.uuid(), requestId: z.string().nullable() }),
  options: { ...OPTIONS, expireInSeconds: 3600 },
} as const satisfies QueueContract;

/** Combinations of all strategies of a sweep together. */
export const MAX_SWEEP_COMBINATIONS = 5_000;
/** Instruments of one sweep: more than the market has. */
export const MAX_SWEEP_SYMBOLS = 40_000;
/** Days for which the file of all cells is stored. */
export const CELLS_KEPT_DAYS = 7;

const {
  instrumentId: _instrumentId,
  symbol: _symbol,
  listedOn: _listedOn,
  delistedOn: _delistedOn,
  isEtf: _isEtf,
  strategy,
  rules,
  saved,
  others,
  columns,
  params,
  includeStatistics: _statistics,
  ...common
} = backtestSpecSchema.shape;
export const sweepInstrumentsSchema = z.array(instrumentSchema);
export type SweepInstrument = z.infer<typeof sweepInstrumentsSchema>[number];

export const sweepSpecSchema = z.object({
  ...common,
  /** Own columns that the rates name. */
  columns,
  /** The session by whose figures a screen chose the instruments; null: the caller listed them. */
  screenedOn: z.int().nullable().default(null),
  skipped: skippedSymbolsSchema.nullable().default(null),
  runs: z.array(
    z.object({
      strategy,
      rules,
      saved,
      others,
      columns,
      params,
      grid: z.record(z.string(), z.array(z.union([z.number(), z.string(), z.boolean()]))),
    }),
  ),
});
export type SweepSpec = z.infer<typeof sweepSpecSchema>;

/** The own columns that the rules of some runs name, each once; undefined: none. */
export function columnsOfRuns(runs: SweepSpec['runs']): UsedColumn[] | undefined {
  const columns = new Map(runs.flatMap((run) => run.columns ?? []).map((column) => [column.name, column]));
  return columns.size === 0 ? undefined : [...columns.values()];
}

/** A sweep whose cells one job computes, of few instruments and combinations. */
export const smallSweepSchema = z.object({ sweep: sweepSpecSchema, instruments: sweepInstrumentsSchema.readonly() });
export type SmallSweep = z.infer<typeof smallSweepSchema>;

/** The last day that is read of any history, so that a load during a sweep does not make some of its cells longer. */
export function lastReadDay({ asOf, dataAsOf }: Pick<SweepSpec, 'asOf' | 'dataAsOf'>): number {
  return Math.min(asOf, dataAsOf ?? asOf);
}
