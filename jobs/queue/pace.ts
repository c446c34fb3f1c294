/** The number of jobs that a worker fetches beyond its slots, so that a slot need not wait for the next job. */

/** Jobs are taken ahead if they will have begun within this time. Another worker could take them meanwhile. */
const AHEAD_MS = 8;
const MAX_AHEAD = 16;
/** Weight of the last job in the average. */
const WEIGHT = 0.2;

export class Pace {
  private averageMs = Number.POSITIVE_INFINITY;

  /** Records how long a job took. */
  ran(ms: number): void {
    this.averageMs = Number.isFinite(this.averageMs) ? this.averageMs + WEIGHT * (ms - this.averageMs) : ms;
  }

  ahead(slots: number): number {
    return Math.min(MAX_AHEAD, Math.floor((slots * AHEAD_MS) / this.averageMs));
  }
}
