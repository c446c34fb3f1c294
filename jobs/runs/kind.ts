/** A kind of run: everything in which backtests, portfolios, and rotations differ. The rest is written once, over a kind. */
import type { z } from 'zod';
import type { KeptRun } from '../../db/runs/kept-runs.ts';
import type { ResultPart, StoredResult } from '../../db/runs/run-results.ts';
import type { RunFailure } from '../../db/runs/runs.ts';
import type { PrefixProof, WarmUp } from '../../engine/backtest/look-ahead.ts';
import type { RunRates } from '../../engine/backtest/rates.ts';
import type { Day } from '../../engine/market/dates.ts';
import type { HistoryGaps } from '../../engine/market/history-gaps.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import type { RunPart } from '../../engine/tear-sheet/inputs.ts';
import type { PositionSummary } from '../../engine/tear-sheet/trades.ts';
import type { RunSpec } from '../contracts/backtest.ts';
import type { JobContext } from '../contracts/job-context.ts';
import type { HistorySource } from './history.ts';
import type { HeldMarket } from './measured-run.ts';
import type { DetailsByCode, NoteCode } from './notes.ts';
import type { ColumnsRead } from './own-columns.ts';
import type { DataDifferences, PastRun } from './past-data.ts';
import type { DataRead } from './receipt.ts';
import type { MetricsView } from './report.ts';
import type { Trials } from './trials.ts';

export type Failed = { readonly failure: RunFailure };

export type ReadContext = Pick<JobContext, 'pool' | 'signal' | 'rotationBars'>;

/** An outcome under the names of the API. */
export interface RunReport {
  /** Sessions of the range, and the equity at each of them. */
  readonly days: Int32Array;
  readonly equity: Float64Array;
  readonly market: HeldMarket;
  /** Fields of the summary that only the kind has: what was run, then how. */
  readonly head: object;
  readonly fields?: object;
  readonly metrics: MetricsView;
  /** Absent: the kind counts trades. */
  readonly positions?: PositionSummary;
  readonly gaps: HistoryGaps;
  /** Whether the range has primary-session bars. */
  readonly isMixed: boolean;
  readonly notes: readonly NoteCode[];
  /** Notes on how the instruments were chosen. */
  readonly choice?: readonly NoteCode[];
  readonly doubts: DetailsByCode;
  readonly parts: Readonly<Partial<Record<ResultPart, string | Uint8Array>>>;
  /** Digests of parts that are known, in hex. */
  readonly digests?: Readonly<Partial<Record<ResultPart, string>>>;
  readonly read: DataRead;
  /** The instruments whose own columns it read, others that rules name included. */
  readonly instrumentIds: readonly number[];
  readonly columns: ColumnsRead;
  /** Stored with the summary and never shown. */
  readonly hidden?: object;
}

/** The part of a tear sheet that comes from the run, and the value of what the run itself names as its benchmark. */
export interface SheetSource {
  readonly part: RunPart;
  readonly held: Float64Array;
}

/** A kept run with the data that it reads now. */
export interface KeptData<Spec, Data> {
  /** With the present ids of its instruments. */
  readonly spec: Spec;
  readonly data: Data | Failed;
  /** The changes of the data since the run. `result`: that of now; null: there is none. */
  readonly differences: (run: PastRun, result: StoredResult | null) => Promise<DataDifferences>;
}

export interface Proof {
  readonly proof: PrefixProof;
  readonly warmUp: WarmUp;
  /** The strategy that it says something of; null: a run of many instruments says nothing of it on one. */
  readonly proved: { readonly strategy: string; readonly symbol: string } | null;
}

/** The part of an outcome that every kind has. */
export interface RunOutcome {
  readonly rates: RunRates;
  /** Money at the end of each session, and what of it the cash earned. */
  readonly run: { readonly equity: Float64Array; readonly interest: number };
}

/** A run as if its range had not ended, at its last session. */
export interface OpenRun {
  /** Sessions of the range, and the equity at each of them: the initial capital, grown by the returns alone. */
  readonly days: Int32Array;
  readonly equity: Float64Array;
  /** Returns of the market beside it. */
  readonly market: Float64Array;
  /** Shares on the basis of the last session. */
  readonly positions: readonly { readonly symbol: string; readonly shares: number }[];
  /** Orders that wait for the next open. */
  readonly orders: readonly { readonly symbol: string; readonly side: 'buy' | 'sell'; readonly reason: string }[];
}

export interface RunKind<Spec extends RunSpec, Data extends object, Outcome extends RunOutcome> {
  readonly spec: z.ZodType<Spec>;
  /** The complete specification as the version of an engine digests it: every default filled in, rules in their canonical form. */
  canonical(spec: Spec, engineVersion?: string): object & { readonly params: ParameterValues };
  /** The digest of everything that a run reads. */
  digest(spec: Spec, data: Data): string;
  trials(spec: Spec, combinations: readonly ParameterValues[]): Trials;
  read(context: ReadContext, spec: Spec, dataVersion: string): Promise<Data | Failed>;
  compute(spec: Spec, data: Data, ledger: SessionLedger): Outcome | Failed | Promise<Outcome | Failed>;
  report(spec: Spec, data: Data, outcome: Outcome, ledger: SessionLedger): RunReport;
  /** The run without the sale at its end; `ahead`: the session after the last one. */
  goOn(spec: Spec, data: Data, ahead: Day): OpenRun | Failed | Promise<OpenRun | Failed>;
  /** Absent: the kind offers no tear sheets. */
  readonly sheet?: (spec: Spec, outcome: Outcome, seed: string) => SheetSource | Promise<SheetSource>;
  /** `source`: histories of an earlier load, for kinds that can read them. */
  readKept(context: ReadContext, saved: KeptRun, source?: HistorySource): Promise<KeptData<Spec, Data>>;
  /** Whether it reads more than an earlier load can give again. */
  readonly readsMarket?: boolean;
  /** Names of the metrics that a verification compares. */
  readonly metricNames: readonly string[];
  /** Null when no bar lies in the range any more. Absent: the kind is not searched for look-ahead. */
  readonly prove?: (context: ReadContext, spec: Spec, data: Data) => Promise<Proof | null>;
}
