/** A kind of run: everything in which backtests, portfolios, rotations, and outcomes differ. The rest is written once, over a kind. */
import type { z } from 'zod';
import type { Queryable } from '../../db/pool.ts';
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
import type { Comparison, RunSpec } from '../contracts/backtest.ts';
import type { JobContext } from '../contracts/job-context.ts';
import type { HistorySource } from './history.ts';
import type { HeldMarket } from './measured-run.ts';
import type { DetailsByCode, NoteCode } from './notes.ts';
import type { ColumnsRead } from './own-columns.ts';
import type { DataDifferences, PastRun } from './past-data.ts';
import type { Computation, DataRead } from './receipt.ts';
import type { MetricsView } from './report.ts';
import type { MadeSheet } from './tear-sheet.ts';
import type { RunSelection, Trials } from './trials.ts';

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

/** The part of an outcome that every measured kind has. */
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

/** The part of a specification that every kept run has. */
export type KeptSpec = Pick<RunSpec, 'timeRange' | 'tearSheet'>;

/** The part of a kind that reads, and that receipts digest. */
interface ReadKind<Spec extends KeptSpec, Data extends object> {
  readonly spec: z.ZodType<Spec>;
  /** The complete specification as the version of an engine digests it: every default filled in, rules in their canonical form. */
  canonical(spec: Spec, engineVersion?: string): object;
  /** The digest of everything that a run reads. */
  digest(spec: Spec, data: Data): string;
  read(context: ReadContext, spec: Spec, dataVersion: string): Promise<Data | Failed>;
  /** `source`: histories of an earlier load, for kinds that can read them. */
  readKept(context: ReadContext, saved: KeptRun, source?: HistorySource): Promise<KeptData<Spec, Data>>;
  /** Whether it reads more than an earlier load can give again. */
  readonly readsMarket?: boolean;
  /** Null when no bar lies in the range any more. Absent: the kind is not searched for look-ahead. */
  readonly prove?: (context: ReadContext, spec: Spec, data: Data) => Promise<Proof | null>;
}

export type Figures = Readonly<Record<string, number | null>>;

/** A kind whose results accounts keep. */
export interface RunKind<Spec extends KeptSpec, Data extends object> extends ReadKind<Spec, Data> {
  result(
    db: Queryable,
    spec: Spec,
    data: Data,
    ledger: SessionLedger,
    computation: Computation,
  ): Promise<StoredResult | Failed>;
  /** The part that depends on the history of the account. `userId`: null of a guest. */
  selection(db: Queryable, userId: number | null, spec: Spec, result: StoredResult): Promise<RunSelection>;
  /** The figures of a summary that a verification compares. */
  figures(summary: object): Figures;
  /** The part of a summary that its receipt digests. */
  digested(summary: object): object;
  /** Null when no bar lies in the range any more. Absent: the kind offers no tear sheets. */
  readonly tearSheet?: (
    db: Queryable,
    spec: Spec,
    data: Data | Failed,
    ledger: SessionLedger,
    comparison: Comparison,
  ) => Promise<MadeSheet | null>;
}

/** A kind whose runs have equity, which is measured beside a market. `measured` makes a kind of it. */
export interface MeasuredKind<Spec extends RunSpec, Data extends object, Outcome extends RunOutcome>
  extends ReadKind<Spec, Data> {
  canonical(spec: Spec, engineVersion?: string): object & { readonly params: ParameterValues };
  trials(spec: Spec, combinations: readonly ParameterValues[]): Trials;
  compute(spec: Spec, data: Data, ledger: SessionLedger): Outcome | Failed | Promise<Outcome | Failed>;
  report(spec: Spec, data: Data, outcome: Outcome, ledger: SessionLedger): RunReport;
  /** The run without the sale at its end; `ahead`: the session after the last one. */
  goOn(spec: Spec, data: Data, ahead: Day): OpenRun | Failed | Promise<OpenRun | Failed>;
  /** Absent: the kind offers no tear sheets. */
  readonly sheet?: (spec: Spec, outcome: Outcome, seed: string) => SheetSource | Promise<SheetSource>;
  /** Names of the metrics that a verification compares. */
  readonly metricNames: readonly string[];
}
