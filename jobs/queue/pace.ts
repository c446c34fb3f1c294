/** How long jobs take: how many a worker has beyond its slots, so that a slot need not wait for the next job, and whether one ends soon. */

/** Jobs are taken ahead if they will have begun within this time. Another worker could take them meanwhile. */
const AHEAD_MS = 8;
const MAX_AHEAD = 16;
/** Jobs that have ended wait for others that will have ended within this time, and share a statement with them. */
const ENDED_TOGETHER_MS = 2;
/** Weight of the last job in the average. */
const WEIGHT = 0.2;

export class Pace {
  private averageMs = Number.POSITIVE_INFINITY;

  /** Records how long a job took. */
  ran(ms: number): void {
    this.averageMs = Number.isFinite(this.averageMs) ? this.averageMs + WEIGHT * (ms - this.averageMs) : ms;
  }

  ahead(slots: number): number {
    return Math.min(MAX_AHEAD, this.begunWithin(AHEAD_MS, slots));
  }

  /** Whether the next job ends so soon that one that has ended may wait for it. */
  endsSoon(slots: number): boolean {
    return this.begunWithin(ENDED_TOGETHER_MS, slots) > 0;
  }

  private begunWithin(ms: number, slots: number): number {
    return Math.floor((slots * ms) / this.averageMs);
  }
}
