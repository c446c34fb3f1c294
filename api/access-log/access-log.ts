/** Collects access records, last uses of keys, and usage counts while requests are served, and writes them in batches. */

import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { type AlikeRequests, insertAccessBatch } from '../../db/back-office/access-batch.ts';
import { isDatabaseAway } from '../../db/errors.ts';
import type { Pool } from '../../db/pool.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { accountOf } from '../access/caller.ts';
import { plainAddress } from '../access/caller-address.ts';
import type { PageView, RequestContext } from '../http/request-context.ts';
import type { RateCategory } from '../limits/plans.ts';
import { clientKindOf, hashClient, visitorOf } from './client.ts';
import type { CountryOf } from './countries.ts';

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
 * Requests that differ in their times only, with the facts that their record is made from later. No entry refers to a request
 * itself: thousands of waiting requests would make every collection of the young generation long.
 */
interface Entry {
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
/** Rows of one statement. Few, so that no request waits while it is made. */
const MAX_BATCH = 200;
/** Requests of one row. */
const MAX_ALIKE = 1_000;
/** When the database is away, the oldest records beyond this number are dropped. */
const MAX_PENDING = 50_000;
/** A use of an account or key is written once in this time. */
const USE_MS = 60_000;
/** Durations are kept to the microsecond. */
const PER_MS = 1_000;

export class AccessLog {
  private readonly options: AccessLogOptions;
  private pending: Entry[] = [];
  /** Entries that take further requests, by what these have in common. */
  private readonly open = new Map<string, Entry>();
  private writing: Promise<void> | null = null;
  private readonly timer: NodeJS.Timeout;
  /** Accounts and keys with the kind of client and the day of their requests, whose use was written since `usesFrom`. */
  private readonly uses = new Set<string>();
  private usesFrom = -Infinity;
  /** Hashes and countries of clients, which send many requests each. */
  private readonly clients = new LRUCache<string, { readonly hash: string; readonly country: string | null }>({
    max: 5_000,
  });

  constructor(options: AccessLogOptions) {
    this.options = options;
    this.timer = setInterval(() => this.flush(), FLUSH_MS).unref();
  }

  record(request: ServedRequest, status: number, durationMs: number): void {
    const at = this.options.now();
    const key = keyOf(request, status, Math.floor(at / MS_PER_DAY));
    const duration = Math.round(durationMs * PER_MS) / PER_MS;
    const alike = this.open.get(key);
    if (!alike) {
      const entry = entryOf(request, status, at, duration);
      this.pending.push(entry);
      this.open.set(key, entry);
      return;
    }
    alike.at.push(at);
    alike.durationMs.push(duration);
    if (alike.at.length === MAX_ALIKE) this.open.delete(key);
  }

  /** Resolves when everything recorded so far is written, or the database is away. */
  async flush(): Promise<void> {
    while (this.writing) await this.writing;
    if (this.pending.length === 0) return;
    this.writing = this.writeAll().finally(() => {
      this.writing = null;
    });
    await this.writing;
  }

  /** Writes the remaining records. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
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
          batch.map((entry) => this.alikeRequests(entry)),
        );
      } catch (error) {
        this.uses.clear();
        if (!isDatabaseAway(error)) {
          log.error({ err: error, records: countOf(batch) }, 'access records could not be written');
          continue;
        }
        this.pending = [...due.slice(from), ...this.pending];
        const givenUp = this.dropOldest();
        log.warn({ err: error, waiting: countOf(this.pending), givenUp }, 'access records wait for the database');
        return;
      }
    }
  }

  /** Keeps at most `MAX_PENDING` records; returns how many were dropped. */
  private dropOldest(): number {
    const before = countOf(this.pending);
    let left = before;
    let from = 0;
    for (; left > MAX_PENDING; from++) left -= this.pending[from].at.length;
    this.pending = this.pending.slice(from);
    return before - left;
  }

  private alikeRequests(entry: Entry): AlikeRequests {
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

  /** Whether a use is due to be written: the first of a minute is. */
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

/** Names requests that differ in their times only. No header and no path contains a NUL. */
function keyOf({ method, headers, context }: ServedRequest, status: number, day: number): string {
  const { ip, route, pageView, isOnlyCounted, caller, category } = context;
  const page = pageView ? `${pageView.path}\0${pageView.referrer === null ? '' : `=${pageView.referrer}`}` : '';
  const own = `${headers['x-client-kind'] ?? ''}\0${headers['x-visitor-id'] ?? ''}\0${headers['user-agent'] ?? ''}`;
  const credential = caller?.kind === 'key' ? caller.apiKeyId : '';
  const userId = (caller && accountOf(caller)?.userId) ?? '';
  return `${day}\0${userId}\0${credential}\0${category}\0${status}\0${method}\0${route}\0${isOnlyCounted}\0${ip}\0${page}\0${own}`;
}

function entryOf({ method, headers, context }: ServedRequest, status: number, at: number, durationMs: number): Entry {
  const { ip, route, pageView, isOnlyCounted, caller, category } = context;
  return {
    ip,
    userAgent: headers['user-agent'] ?? '',
    ownKind: textOf(headers['x-client-kind']),
    ownVisitorId: textOf(headers['x-visitor-id']),
    method,
    route,
    pageView,
    isOnlyCounted,
    userId: caller && (accountOf(caller)?.userId ?? null),
    apiKeyId: caller?.kind === 'key' ? caller.apiKeyId : null,
    category,
    status,
    at: [at],
    durationMs: [durationMs],
  };
}

const countOf = (entries: readonly Entry[]) => entries.reduce((sum, { at }) => sum + at.length, 0);

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined);
