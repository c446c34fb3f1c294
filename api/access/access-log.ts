/** Collects access records, last uses of keys, and usage counts while requests are served, and writes them in batches. */
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { isDatabaseUnreachable } from '../../db/errors.ts';
import { insertAccessBatch, type RequestGroup } from '../../db/log/access-batch.ts';
import type { Pool } from '../../db/pool.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { accountOf, type Caller, plainAddress } from './caller.ts';
import type { CountryOf } from './countries.ts';
import type { RateCategory } from './plans.ts';
import type { PageView, RequestContext } from './request-context.ts';
import { clientKindOf, hashClient, visitorOf } from './web-client.ts';

export interface AccessLogOptions {
  readonly pool: Pool;
  readonly countryOf: CountryOf;
  /** Keys the hashes of addresses and user agents. */
  readonly identifierKey: string;
  readonly now: () => number;
  readonly log: Logger;
}

/** A request that has been answered. */
export interface ServedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly context: Pick<RequestContext, 'ip' | 'route' | 'pageView' | 'isOnlyCounted' | 'caller' | 'category'>;
}

/**
 * Requests that differ only in their times, with the facts for their record. It does not refer to the requests themselves:
 * thousands of retained requests would slow down garbage collection.
 */
interface Entry {
  /** The UTC day, counted from 1970. */
  readonly day: number;
  readonly ip: string | undefined;
  readonly userAgent: string;
  readonly ownKind: string | undefined;
  readonly ownVisitorId: string | undefined;
  readonly method: string;
  readonly route: string;
  readonly pageView: PageView | null;
  readonly isOnlyCounted: boolean;
  readonly userId: number | null;
  readonly apiKeyId: number | null;
  readonly category: RateCategory | null;
  readonly status: number;
  readonly at: number[];
  readonly durationMs: number[];
}

/** How long requests are collected. A process that is killed loses no more than this and one statement. */
const FLUSH_MS = 500;
/** How long readers of the records wait for those of the last moment to be written. */
const READER_MS = 1_000;
/** Rows of one statement: few, so that building it does not delay requests. */
const MAX_BATCH = 200;
/** Requests of one row. */
const MAX_PER_ROW = 1_000;
/** Entries of one caller that take further requests. Callers with more kinds of requests at a time get more rows. */
const MAX_OPEN = 16;
/** While the database is unavailable, the oldest records beyond this number are dropped. */
const MAX_PENDING = 50_000;
/** A use of an account or key is written once in this time. */
const USE_MS = 60_000;
/** Durations are stored to the microsecond. */
const MICROSECONDS_PER_MS = 1_000;

export class AccessLog {
  private readonly options: AccessLogOptions;
  private pending: Entry[] = [];
  /** Entries that take further requests, by caller, oldest first. */
  private readonly open = new Map<string, Entry[]>();
  private writing: Promise<void> | null = null;
  /** The write after `writing`, which has not begun. */
  private next: Promise<void> | null = null;
  private readonly timer: NodeJS.Timeout;
  /** Records that were dropped or could not be written, since the start. */
  lost = 0;
  /** How many of them have been logged. */
  private reported = 0;
  /** Accounts and keys, with the kind of client and the day, whose use was written since `usesFrom`. */
  private readonly uses = new Set<string>();
  private usesFrom = -Infinity;
  /** Hash and country of each client. */
  private readonly clients = new LRUCache<string, { readonly hash: string; readonly country: string | null }>({
    max: 5_000,
  });

  constructor(options: AccessLogOptions) {
    this.options = options;
    this.timer = setInterval(() => this.flush(), FLUSH_MS).unref();
  }

  record(request: ServedRequest, status: number, durationMs: number): void {
    const at = this.options.now();
    const day = Math.floor(at / MS_PER_DAY);
    const duration = Math.round(durationMs * MICROSECONDS_PER_MS) / MICROSECONDS_PER_MS;
    const entries = this.openOf(request);
    const index = entries.findIndex((entry) => matches(entry, request, status, day));
    if (index === -1) {
      const entry = entryOf(request, status, { day, at, duration });
      this.pending.push(entry);
      entries.push(entry);
      if (entries.length > MAX_OPEN) entries.shift();
      return;
    }
    const entry = entries[index];
    entry.at.push(at);
    entry.durationMs.push(duration);
    if (entry.at.length === MAX_PER_ROW) entries.splice(index, 1);
  }

  /** The open entries of the request's caller, or of its address if the caller is unknown. */
  private openOf({ context: { caller, ip = '' } }: ServedRequest): Entry[] {
    const name = caller?.counter ?? ip;
    const known = this.open.get(name);
    if (known) return known;
    const entries: Entry[] = [];
    this.open.set(name, entries);
    return entries;
  }

  /** Resolves when everything recorded so far is written, or the database does not answer in time. For readers of the records. */
  async caughtUp(): Promise<void> {
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, READER_MS);
    await Promise.race([this.flush(), enough]);
    clearTimeout(timer);
  }

  /** Resolves when everything recorded so far is written, or the database is unavailable. Concurrent calls share the next write. */
  flush(): Promise<void> {
    this.next ??= Promise.allSettled([this.writing]).then(() => {
      this.next = null;
      this.writing = this.writeAll();
      return this.writing;
    });
    return this.next;
  }

  /** Writes the remaining records. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
    this.lost += countOf(this.pending.splice(0));
    this.logLost();
  }

  /** Not called during an outage, whose log lines are summarized. */
  private logLost(): void {
    if (this.reported === this.lost) return;
    this.options.log.error({ records: this.lost - this.reported }, 'access records were lost');
    this.reported = this.lost;
  }

  private async writeAll(): Promise<void> {
    const { pool, log } = this.options;
    const due = this.pending;
    this.pending = [];
    this.open.clear();
    for (let from = 0; from < due.length; from += MAX_BATCH) {
      const batch = due.slice(from, from + MAX_BATCH);
      try {
        await insertAccessBatch(
          pool,
          batch.map((entry) => this.groupOf(entry)),
        );
        this.logLost();
      } catch (error) {
        this.uses.clear();
        if (!isDatabaseUnreachable(error)) {
          log.error({ err: error }, 'access records could not be written');
          this.lost += countOf(batch);
          this.logLost();
          continue;
        }
        this.pending = [...due.slice(from), ...this.pending];
        this.dropOldest();
        log.warn({ err: error, waiting: countOf(this.pending) }, 'access records wait for the database');
        return;
      }
    }
  }

  /** Keeps at most `MAX_PENDING` records. */
  private dropOldest(): void {
    let left = countOf(this.pending);
    let from = 0;
    for (; left > MAX_PENDING; from++) left -= this.pending[from].at.length;
    this.lost += countOf(this.pending.splice(0, from));
  }

  private groupOf(entry: Entry): RequestGroup {
    const { ip, userAgent, ownKind, ownVisitorId, pageView, userId, apiKeyId, category, isOnlyCounted } = entry;
    const { method, route, status, at, durationMs } = entry;
    const kind = clientKindOf(ownKind, userAgent);
    const { hash, country } = this.clientOf(ip, userAgent);
    return {
      at,
      durationMs,
      visitor: visitorOf(kind, ownVisitorId, hash),
      userId,
      apiKeyId,
      isUse:
        userId !== null &&
        this.isUse(`${userId} ${apiKeyId} ${kind} ${isOnlyCounted} ${Math.floor(at[0] / MS_PER_DAY)}`),
      clientKind: kind,
      method,
      path: pageView?.path ?? route,
      isPage: pageView !== null,
      referrer: pageView?.referrer ?? null,
      status,
      country,
      isOnlyCounted,
      // Calls of the console are not part of a plan.
      isUsage: userId !== null && category !== null && category !== 'account',
    };
  }

  /** Whether a use is to be written: only the first of each minute is. */
  private isUse(of: string): boolean {
    const now = this.options.now();
    if (now < this.usesFrom || now >= this.usesFrom + USE_MS) {
      this.usesFrom = now;
      this.uses.clear();
    }
    if (this.uses.has(of)) return false;
    this.uses.add(of);
    return true;
  }

  private clientOf(ip: string | undefined, userAgent: string) {
    const key = `${ip}\0${userAgent}`;
    let client = this.clients.get(key);
    if (!client) {
      const { identifierKey, countryOf } = this.options;
      const address = plainAddress(ip);
      client = { hash: hashClient(identifierKey, address ?? '', userAgent), country: countryOf(address) };
      this.clients.set(key, client);
    }
    return client;
  }
}

/** Whether a request differs from those of the entry only in its time. */
function matches(entry: Entry, { method, headers, context }: ServedRequest, status: number, day: number): boolean {
  const { ip, route, pageView, isOnlyCounted, caller, category } = context;
  return (
    entry.route === route &&
    entry.status === status &&
    entry.method === method &&
    entry.category === category &&
    entry.isOnlyCounted === isOnlyCounted &&
    entry.day === day &&
    entry.userId === userIdOf(caller) &&
    entry.apiKeyId === apiKeyIdOf(caller) &&
    entry.pageView?.path === pageView?.path &&
    entry.pageView?.referrer === pageView?.referrer &&
    entry.ip === ip &&
    entry.userAgent === (headers['user-agent'] ?? '') &&
    entry.ownKind === textOf(headers['x-client-kind']) &&
    entry.ownVisitorId === textOf(headers['x-visitor-id'])
  );
}

function entryOf(
  { method, headers, context }: ServedRequest,
  status: number,
  { day, at, duration }: { readonly day: number; readonly at: number; readonly duration: number },
): Entry {
  const { ip, route, pageView, isOnlyCounted, caller, category } = context;
  return {
    day,
    ip,
    userAgent: headers['user-agent'] ?? '',
    ownKind: textOf(headers['x-client-kind']),
    ownVisitorId: textOf(headers['x-visitor-id']),
    method,
    route,
    pageView,
    isOnlyCounted,
    userId: userIdOf(caller),
    apiKeyId: apiKeyIdOf(caller),
    category,
    status,
    at: [at],
    durationMs: [duration],
  };
}

const userIdOf = (caller: Caller | null) => (caller && accountOf(caller)?.userId) ?? null;

const apiKeyIdOf = (caller: Caller | null) => (caller?.kind === 'key' ? caller.apiKeyId : null);

const countOf = (entries: readonly Entry[]) => entries.reduce((sum, { at }) => sum + at.length, 0);

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined);
