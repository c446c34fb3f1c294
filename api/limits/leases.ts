/**
 * Allowance that this process has taken from the shared counters ahead of the calls that will use it, so that most calls
 * of a busy caller need no round trip. The shared row counts a lease as used from the moment it is taken, so the limit
 * holds over all processes; unused units go back to the bucket that they came from.
 */
import { LEASE_SECONDS, type Reservation } from '../../db/accounts/rate-limits.ts';

/** Interval at which expired leases are returned. */
const RETURN_MS = 250;
/** How long a lease may be used: with the wait for its return, an unused unit is back within `LEASE_SECONDS`. */
const LIFE_MS = 1000 * LEASE_SECONDS - RETURN_MS;
const MAX_UNITS = 32;
/** A lease is at most this share of what is left, so that other processes find allowance too. */
const SHARE = 1 / 4;
/** With fewer calls left than this, they are counted one by one. */
const MIN_REMAINING = 8;

/** State of the limit that a call gets. */
export interface Turn {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Seconds from now until all calls so far have left the window. */
  readonly resetAfter: number;
  /** Seconds from now until a call passes again, if this one was refused. */
  readonly retryAfter: number;
}

/** Units that a statement granted beyond the calls that waited for it. */
export interface Grant {
  readonly limit: number;
  readonly units: number;
  /** The bucket of the shared row that the units were taken from. */
  readonly bucket: number;
  /** When the statement was sent, in monotonic milliseconds. */
  readonly sentAt: number;
  /** Calls that are left after those that waited, the units included. */
  readonly remaining: number;
  /** Seconds from now. */
  readonly resetAfter: number;
}

interface Lease {
  readonly limit: number;
  readonly bucket: number;
  /** Monotonic milliseconds, like every moment here. */
  readonly expiresAt: number;
  readonly resetAt: number;
  units: number;
  remaining: number;
}

/** Calls of a key since `from`, and in the period before that. */
interface Pace {
  from: number;
  calls: number;
  callsBefore: number;
  /** Calls that were left when they were last counted without a lease, or when the last lease ended. */
  remaining: number;
  /** The bucket that they were counted in. */
  bucket: number | undefined;
}

const UNKNOWN: Pace = { from: 0, calls: 0, callsBefore: 0, remaining: 0, bucket: undefined };

interface Paces {
  count(key: string): void;
  learn(key: string, counted: Pick<Pace, 'remaining' | 'bucket'>): void;
  find(key: string): Pace | undefined;
  /** The expected number of calls of a key during a lease, and the calls that it has left. */
  expected(key: string): Pick<Pace, 'calls' | 'remaining'>;
  forgetOld(): void;
}

function createPaces(monotonic: () => number): Paces {
  const paces = new Map<string, Pace>();
  return {
    count(key) {
      const now = monotonic();
      const pace = paces.get(key);
      if (!pace) {
        paces.set(key, { from: now, calls: 1, callsBefore: 0, remaining: 0, bucket: undefined });
        return;
      }
      const elapsed = now - pace.from;
      if (elapsed >= LIFE_MS) {
        pace.callsBefore = elapsed < 2 * LIFE_MS ? pace.calls : 0;
        pace.calls = 0;
        pace.from = now;
      }
      pace.calls++;
    },
    learn(key, { remaining, bucket }) {
      const pace = paces.get(key);
      if (!pace) return;
      pace.remaining = remaining;
      pace.bucket = bucket;
    },
    find: (key) => paces.get(key),
    expected(key) {
      const { calls, callsBefore, remaining } = paces.get(key) ?? UNKNOWN;
      return { calls: Math.max(calls, callsBefore), remaining };
    },
    forgetOld() {
      const now = monotonic();
      for (const [key, { from }] of paces) if (now - from > 2 * LIFE_MS) paces.delete(key);
    },
  };
}

interface Returns {
  /** Notes what a lease has left; it is given back with everything else of this turn of the event loop. */
  add(key: string, lease: Lease): void;
  /** Gives back everything that was noted. */
  flush(): Promise<void>;
  readonly hasNoted: boolean;
  /** Units of a key that are on their way back. */
  pending(key: string): number;
}

function createReturns(giveBack: LeaseOptions['giveBack']): Returns {
  const units = new Map<string, number>();
  let noted: Reservation[] = [];
  function change(key: string, by: number): void {
    const sum = (units.get(key) ?? 0) + by;
    if (sum === 0) units.delete(key);
    else units.set(key, sum);
  }
  async function flush(): Promise<void> {
    // One statement changes the row of a key once. What else the key has to return follows with the next.
    const reservations = [...new Map(noted.map((reservation) => [reservation.key, reservation])).values()];
    if (reservations.length === 0) return;
    const sent = new Set(reservations);
    noted = noted.filter((reservation) => !sent.has(reservation));
    // Units that cannot be given back leave the window with their bucket.
    await giveBack(reservations).catch(() => {});
    for (const { key, units } of reservations) change(key, -units);
  }
  return {
    add(key, lease) {
      if (lease.units === 0) return;
      noted.push({ key, bucket: lease.bucket, units: lease.units });
      change(key, lease.units);
      if (noted.length === 1) setImmediate(() => void flush());
    },
    flush,
    get hasNoted() {
      return noted.length > 0;
    },
    pending: (key) => units.get(key) ?? 0,
  };
}

export interface Leases {
  /** The turn of a call that a lease covers; null: none does. */
  take(key: string, limit: number): Turn | null;
  /** A call that no lease covered is counted in the shared row. */
  missed(key: string): void;
  /** Returns the units that the next statement should take ahead for a key, based on its rate of calls. */
  unitsAhead(key: string): number;
  /** The bucket in which the key was last counted, if so many calls were left then. */
  lastBucket(key: string, calls: number): number | undefined;
  keep(key: string, grant: Grant): void;
  /** A call of the key was given back to the shared row. */
  refunded(key: string): void;
  /** Units of a key that the shared row counts as used and that are not. */
  held(key: string): number;
  /** Gives back everything. */
  close(): Promise<void>;
}

export interface LeaseOptions {
  readonly giveBack: (reservations: readonly Reservation[]) => Promise<void>;
  /** Milliseconds that never go back. */
  readonly monotonic: () => number;
}

function leaseOf({ limit, units, bucket, sentAt, remaining, resetAfter }: Grant, now: number): Lease {
  return { limit, units, bucket, expiresAt: sentAt + LIFE_MS, remaining, resetAt: now + 1000 * resetAfter };
}

function useUnit(lease: Lease, now: number): Turn {
  lease.units--;
  lease.remaining--;
  const resetAfter = (lease.resetAt - now) / 1000;
  return { isAllowed: true, remaining: lease.remaining, resetAfter, retryAfter: 0 };
}

export function createLeases({ giveBack, monotonic }: LeaseOptions): Leases {
  const leases = new Map<string, Lease>();
  const paces = createPaces(monotonic);
  const returns = createReturns(giveBack);

  async function returnExpired(): Promise<void> {
    const now = monotonic();
    paces.forgetOld();
    for (const [key, lease] of leases) {
      if (lease.expiresAt > now) continue;
      leases.delete(key);
      paces.learn(key, lease);
      returns.add(key, lease);
    }
    await returns.flush();
  }
  const timer = setInterval(() => void returnExpired(), RETURN_MS).unref();

  return {
    take(key, limit) {
      const lease = leases.get(key);
      if (!lease || lease.units === 0 || lease.limit !== limit) return null;
      const now = monotonic();
      if (lease.expiresAt <= now) return null;
      paces.count(key);
      return useUnit(lease, now);
    },

    missed: (key) => paces.count(key),

    unitsAhead(key) {
      const lease = leases.get(key);
      if (lease && lease.units > 0 && lease.expiresAt > monotonic()) return 0;
      const { calls, remaining: known } = paces.expected(key);
      const remaining = lease?.remaining ?? known;
      return remaining < MIN_REMAINING ? 0 : Math.min(MAX_UNITS, Math.floor(remaining * SHARE), Math.max(0, calls - 1));
    },

    lastBucket(key, calls) {
      const { remaining, bucket } = leases.get(key) ?? paces.find(key) ?? UNKNOWN;
      return remaining >= calls ? bucket : undefined;
    },

    keep(key, grant) {
      const former = leases.get(key);
      if (former) returns.add(key, former);
      if (grant.units > 0) leases.set(key, leaseOf(grant, monotonic()));
      else {
        // Callers who call seldom leave no lease behind.
        leases.delete(key);
        paces.learn(key, grant);
      }
    },

    refunded(key) {
      const counted = leases.get(key) ?? paces.find(key);
      if (counted) counted.remaining++;
    },

    held: (key) => (leases.get(key)?.units ?? 0) + returns.pending(key),

    async close() {
      clearInterval(timer);
      for (const [key, lease] of leases) returns.add(key, lease);
      leases.clear();
      while (returns.hasNoted) await returns.flush();
    },
  };
}
