/** Seeded random numbers for the sample market: the same seed gives the same market everywhere. */
export class Random {
  private state: number;

  constructor(...seeds: readonly number[]) {
    this.state = 0x9e3779b9;
    for (const seed of seeds) this.state = Math.imul(this.state ^ seed, 0x85ebca6b) ^ (this.state >>> 13);
    for (let i = 0; i < 4; i++) this.uniform();
  }

  /** In [0, 1): mulberry32, a 32-bit generator good enough to draw prices with. */
  uniform(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Standard normal (Box-Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.uniform();
  }

  /** Whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)];
  }
}
