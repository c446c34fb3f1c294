/** A receipt lets anyone compute a result again and compare. `jobs/backtest/receipt.ts` makes its digests. */

export interface Receipt {
  readonly engine_version: string;
  /** Digest of the canonical JSON of the specification (`backtestForm`, `optimizeForm`). */
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
