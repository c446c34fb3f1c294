/**
 * Units taken ahead for busy callers of large limits, so that most of their calls need no statement. The shared row counts a lease as
 * used from the moment it is taken, so the limit holds over all processes; units that are not used in time are returned to their bucket.
 */
import { type Return, USE_WITHIN_SECONDS } from '../../db/accounts/rate-limits.ts';
import type { RateLimitResult } from './decide.ts';

/** Smaller limits are counted call by call. */
const MIN_LIMIT = 120;
const RETURN_MS = 250;
/** Including the wait for the next return, an unused unit is back within `USE_WITHIN_SECONDS`. */
const LIFE_MS = 1000 * USE_WITHIN_SECONDS - RETURN_MS;
const MAX_UNITS = 32;
/** A lease is at most this share of the remaining units, so that other processes get some too. */
const SHARE = 1 / 4;
/** Below this number of remaining calls, they are counted one by one. */
const MIN_REMAINING = 8;

/** Units that a statement granted beyond the calls that waited for it. */
export interface Grant {
  readonly limit: number;
  readonly units: number;
  /** The bucket of the shared row that the units were taken from. */
  readonly bucket: number;
  /** When the statement was sent, in monotonic ms. */
  readonly sentAt: number;
  /** Calls that the statement was sent for. */
  readonly calls: number;
  /** Calls that are left, the units included. */
  readonly remaining: number;
  /** Seconds from now until all calls so far have left the window. */
  readonly resetAfter: number;
}

interface Lease extends Grant {
  readonly resetAt: number;
  units: number;
  remaining: number;
  calls: number;
}

export interface LeaseOptions {
  /** Resolves with false when certainly nothing was returned; it is then retried. */
  readonly giveBack: (returns: readonly Return[]) => Promise<boolean>;
  /** Whether the database is unavailable, so that nothing can be returned. */
  readonly isUnreachable: () => boolean;
  /** Monotonic ms. */
  readonly monotonic: () => number;
}

export class Leases {
  private readonly options: LeaseOptions;
  private readonly monotonic: () => number;
  /** The newest lease of each key, until some time after its end. */
  private readonly leases = new Map<string, Lease>();
  private readonly ended: Return[] = [];
  private flushing: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(options: LeaseOptions) {
    this.options = options;
    this.monotonic = options.monotonic;
    this.timer = setInterval(() => void this.returnEnded(), RETURN_MS).unref();
  }

  /** The result of a call that a lease covers; null if none does. */
  take(key: string, limit: number): RateLimitResult | null {
    const lease = this.leases.get(key);
    const now = this.monotonic();
    if (!lease || lease.units === 0 || lease.limit !== limit || now - lease.sentAt >= LIFE_MS) return null;
    lease.units--;
    lease.remaining--;
    lease.calls++;
    const { remaining, bucket, resetAt } = lease;
    return { isAllowed: true, remaining, resetAfter: (resetAt - now) / 1000, retryAfter: 0, bucket };
  }

  /** The units that the next statement should take ahead for a key: as many as there were calls on the last lease. */
  unitsAhead(key: string, limit: number): number {
    const last = this.leases.get(key);
    if (!last || limit < MIN_LIMIT || last.limit !== limit || last.remaining < MIN_REMAINING) return 0;
    const age = this.monotonic() - last.sentAt;
    if (age >= 2 * LIFE_MS || (age < LIFE_MS && last.units > 0)) return 0;
    return Math.min(MAX_UNITS, Math.floor(last.remaining * SHARE), last.calls);
  }

  keep(key: string, grant: Grant): void {
    this.end(key);
    if (grant.limit < MIN_LIMIT) return;
    this.leases.set(key, { ...grant, resetAt: this.monotonic() + 1000 * grant.resetAfter });
  }

  /** Units of a key that the shared row counts as used and no call has used. */
  unused(key: string): number {
    const ended = this.ended.reduce((sum, one) => sum + (one.key === key ? one.units : 0), 0);
    return (this.leases.get(key)?.units ?? 0) + ended;
  }

  /** Returns the unused units of expired leases. */
  async returnEnded(): Promise<void> {
    for (const [key, { sentAt }] of this.leases) {
      const age = this.monotonic() - sentAt;
      if (age >= LIFE_MS) this.end(key);
      if (age >= 2 * LIFE_MS) this.leases.delete(key);
    }
    if (this.ended.length === 0 || this.options.isUnreachable()) return;
    this.flushing ??= this.flush().finally(() => {
      this.flushing = undefined;
    });
    await this.flushing;
  }

  private async flush(): Promise<void> {
    const returns = [...this.ended];
    if (await this.options.giveBack(returns)) this.ended.splice(0, returns.length);
  }

  /** Returns units that arrived too late to be used. */
  async giveBack(returns: readonly Return[]): Promise<void> {
    this.ended.push(...returns);
    await this.flushing;
    await this.returnEnded();
  }

  /** Returns all units. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    for (const key of this.leases.keys()) this.end(key);
    await this.giveBack([]);
    this.leases.clear();
  }

  private end(key: string): void {
    const lease = this.leases.get(key);
    if (!lease || lease.units === 0) return;
    this.ended.push({ key, bucket: lease.bucket, units: lease.units });
    lease.units = 0;
  }
}
