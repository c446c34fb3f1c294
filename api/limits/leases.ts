/**
 * Allowance that this process has taken from the shared counters ahead of the calls that will use it, so that most calls
 * of a busy caller need no round trip. The shared row counts a lease as used from the moment it is taken, so the limit
 * holds over all processes; unused units go back to the bucket that they came from.
 */
import { LEASE_SECONDS, type Reservation } from '../../db/accounts/rate-limits.ts';

/** Interval at which expired leases are returned. */
const SWEEP_MS = 250;
/** How long a lease may be used: with the sweep behind it, an unused unit is back within `LEASE_SECONDS`. */
const LIFE_MS = 1000 * LEASE_SECONDS - SWEEP_MS;
const MAX_UNITS = 16;
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
}

interface Paces {
  count(key: string): void;
  /** Returns the expected number of calls of a key during a lease. */
  expected(key: string): number;
  forgetOld(): void;
}

function createPaces(monotonic: () => number): Paces {
  const paces = new Map<string, Pace>();
  return {
    count(key) {
      const now = monotonic();
      const pace = paces.get(key);
      if (!pace) {
        paces.set(key, { from: now, calls: 1, callsBefore: 0 });
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
    expected(key) {
      const pace = paces.get(key);
      return pace ? Math.max(pace.calls, pace.callsBefore) : 0;
    },
    forgetOld() {
      const now = monotonic();
      for (const [key, { from }] of paces) if (now - from > 2 * LIFE_MS) paces.delete(key);
    },
  };
}

interface Returns {
  /** Gives back what leases have left. */
  add(ended: readonly [string, Lease][]): Promise<void>;
  /** Units of a key that are on their way back. */
  pending(key: string): number;
}

function createReturns(giveBack: LeaseOptions['giveBack']): Returns {
  const units = new Map<string, number>();
  function change(key: string, by: number): void {
    const sum = (units.get(key) ?? 0) + by;
    if (sum === 0) units.delete(key);
    else units.set(key, sum);
  }
  return {
    async add(ended) {
      const reservations = ended
        .filter(([, lease]) => lease.units > 0)
        .map(([key, lease]) => ({ key, bucket: lease.bucket, units: lease.units }));
      if (reservations.length === 0) return;
      for (const reservation of reservations) change(reservation.key, reservation.units);
      // Units that cannot be given back leave the window with their bucket.
      await giveBack(reservations).catch(() => {});
      for (const reservation of reservations) change(reservation.key, -reservation.units);
    },
    pending: (key) => units.get(key) ?? 0,
  };
}

export interface Leases {
  /** Counts a call; returns its turn if a lease covers it. */
  take(key: string, limit: number): Turn | null;
  /** Returns the units that the next statement should take ahead for a key, based on its rate of calls. */
  unitsAhead(key: string): number;
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

export function createLeases({ giveBack, monotonic }: LeaseOptions): Leases {
  const leases = new Map<string, Lease>();
  const paces = createPaces(monotonic);
  const returns = createReturns(giveBack);

  async function sweep(): Promise<void> {
    const now = monotonic();
    paces.forgetOld();
    const expired = [...leases].filter(([, { expiresAt }]) => expiresAt <= now);
    for (const [key] of expired) leases.delete(key);
    await returns.add(expired);
  }
  const timer = setInterval(() => void sweep(), SWEEP_MS).unref();

  return {
    take(key, limit) {
      const now = monotonic();
      paces.count(key);
      const lease = leases.get(key);
      if (!lease || lease.units === 0 || lease.limit !== limit || lease.expiresAt <= now) return null;
      lease.units--;
      lease.remaining--;
      return {
        isAllowed: true,
        remaining: lease.remaining,
        resetAfter: (lease.resetAt - now) / 1000,
        retryAfter: 0,
      };
    },

    unitsAhead(key) {
      const lease = leases.get(key);
      if (!lease || lease.units > 0 || lease.remaining < MIN_REMAINING) return 0;
      return Math.min(MAX_UNITS, Math.floor(lease.remaining * SHARE), Math.max(0, paces.expected(key) - 1));
    },

    keep(key, { limit, units, bucket, sentAt, remaining, resetAfter }) {
      const former = leases.get(key);
      const now = monotonic();
      const expiresAt = sentAt + LIFE_MS;
      leases.set(key, { limit, units, bucket, expiresAt, remaining, resetAt: now + 1000 * resetAfter });
      if (former) void returns.add([[key, former]]);
    },

    refunded(key) {
      const lease = leases.get(key);
      if (lease) lease.remaining++;
    },

    held: (key) => (leases.get(key)?.units ?? 0) + returns.pending(key),

    async close() {
      clearInterval(timer);
      const all = [...leases];
      leases.clear();
      await returns.add(all);
    },
  };
}
