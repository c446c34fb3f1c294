/** Revisions: bars and events that loads changed after they had been served. */

/** The load that changes something. */
export interface LoadOrigin {
  /** Null: no job, as in a benchmark. */
  readonly syncJobId: number | null;
  readonly at: Date;
}
