/** Evidence for results: receipts, and whether a kept backtest can be reproduced and looks ahead. */
import { z } from 'zod';
import type { RevisedBar, RevisedEvent } from '../../db/market/revisions.ts';
import type { Verdict } from '../../db/runs/verdicts.ts';
import { BACKTEST_QUEUE } from './backtest.ts';
import { OPTIMIZE_QUEUE } from './optimize.ts';
import { emptyPayload, ONE_AT_A_TIME, type QueueContract } from './queue-contract.ts';

export const VERIFY_QUEUE = { ...BACKTEST_QUEUE, name: 'verify', runbook: 'evidence' } as const satisfies QueueContract;

/** A long history is computed once for each of its bars, which may take a minute. */
export const LOOK_AHEAD_QUEUE = {
  ...OPTIMIZE_QUEUE,
  name: 'look_ahead',
  runbook: 'evidence',
} as const satisfies QueueContract;

/** Verifies a sample of the kept backtests every night. */
export const VERIFY_SAMPLE_QUEUE = {
  name: 'verify.sample',
  record: null,
  runbook: 'evidence',
  lane: 'compute',
  payload: emptyPayload,
  options: ONE_AT_A_TIME,
} as const satisfies QueueContract;

/** With it anyone can compute a result again and compare. `jobs/runs/receipt.ts` makes its digests. */
export interface Receipt {
  readonly engine_version: string;
  /** Digest of the canonical JSON of the specification (`canonical` of its kind). */
  readonly spec_sha256: string;
  /** Digest of the bars and factors that were read, warm-up included (`dataDigest`). */
  readonly data_sha256: string;
  /** The first and the last of these bars, YYYY-MM-DD; absent in receipts of earlier versions. */
  readonly first_bar?: string;
  readonly last_bar?: string;
  /** Digest of figures, trades, and curves (`resultDigest`). */
  readonly result_sha256: string;
  /** Version of the data that it was computed from. */
  readonly data_version: string;
  readonly computed_at: string;
}

/** The subject of a verification or of a search for look-ahead. */
export const evidenceSpecSchema = z.object({ backtestId: z.int() });

/** Differences of bars, and of events, that are listed; the others are counted. */
export const MAX_DIFFERENCES = 200;

export interface BarDifference {
  /** Only where there are many instruments. */
  readonly symbol?: string;
  readonly date: string;
  /** As traded; null: there was none; `unknown`: no revision reaches back to the run. */
  readonly was: RevisedBar | null | 'unknown';
  readonly is: RevisedBar | null;
}

export interface EventDifference {
  readonly symbol?: string;
  readonly ex_date: string;
  readonly was: RevisedEvent | null | 'unknown';
  readonly is: RevisedEvent | null;
}

export interface Differences<Difference> {
  readonly total: number;
  readonly items: readonly Difference[];
}

export interface Verification {
  readonly verdict: Verdict;
  /** Codes of everything that has changed. */
  readonly reasons: readonly string[];
  readonly verified_at: string;
  readonly engine: { readonly was: string | null; readonly is: string };
  readonly receipt: { readonly was: Receipt | null; readonly is: Receipt | null };
  /** The kept snapshot of a table with the bars that the run read; null: there is none. */
  readonly snapshot: {
    readonly table: string;
    readonly snapshot_id: number;
    readonly committed_at: string;
    /** Whether the data and the result of the receipt follow from the snapshots of that load; null: not computed. */
    readonly same_data: boolean | null;
    readonly same_result: boolean | null;
  } | null;
  readonly bars: Differences<BarDifference>;
  readonly events: Differences<EventDifference>;
  /** Every metric before and after; null: not defined. */
  readonly metrics: readonly { readonly name: string; readonly was: number | null; readonly is: number | null }[];
}

export interface LookAheadReport {
  readonly prefixes: number;
  readonly differences: number;
  readonly verdict: 'none' | 'found';
  readonly first?: { readonly cut_after: string; readonly date: string; readonly kind: string };
  readonly warm_up: {
    readonly needed_bars: number;
    readonly available_bars: number;
    readonly compared: readonly number[];
  };
  readonly engine_version: string;
  readonly proved_at: string;
}
