/** Collects access records, last uses of keys, and usage counts while requests are served, and writes them in batches. */

import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { insertAccessBatch, type ServedRequest } from '../../db/back-office/access-batch.ts';
import { isDatabaseAway } from '../../db/errors.ts';
import type { Pool } from '../../db/pool.ts';
import { accountOf } from '../access/caller.ts';
import { plainAddress } from '../access/caller-address.ts';
import type { PageView } from '../http/request-context.ts';
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

/**
 * The facts of a request that its record is made from later. No entry refers to the request itself: hundreds of waiting
 * requests would make every collection of the young generation long.
 */
interface Entry {
  readonly at: number;
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
  readonly durationMs: number;
}

const FLUSH_MS = 200;
/** Small, so that no request waits while a batch is made. */
const MAX_BATCH = 200;
/** When the database is away, the oldest records beyond this number are dropped. */
const MAX_PENDING = 50_000;

export class AccessLog {
  private readonly options: AccessLogOptions;
  private pending: Entry[] = [];
  private writing: Promise<void> | null = null;
  private readonly timer: NodeJS.Timeout;
  /** Hashes and countries of clients, which send many requests each. */
  private readonly clients = new LRUCache<string, { readonly hash: string; readonly country: string | null }>({
    max: 5_000,
  });

  constructor(options: AccessLogOptions) {
    this.options = options;
    this.timer = setInterval(() => this.flush(), FLUSH_MS).unref();
  }

  record(request: Request, status: number, durationMs: number): void {
    const { ip, headers, method, context } = request;
    const { route, pageView, isOnlyCounted, caller, category } = context;
    this.pending.push({
      at: this.options.now(),
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
      durationMs,
    });
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
    const { log } = this.options;
    for (let batch = this.pending.splice(0, MAX_BATCH); batch.length > 0; batch = this.pending.splice(0, MAX_BATCH)) {
      try {
        await insertAccessBatch(
          this.options.pool,
          batch.map((entry) => this.servedRequest(entry)),
        );
      } catch (error) {
        if (!isDatabaseAway(error)) {
          log.error({ err: error, records: batch.length }, 'access records could not be written');
          continue;
        }
        this.pending.unshift(...batch);
        const excess = this.pending.length - MAX_PENDING;
        if (excess > 0) this.pending.splice(0, excess);
        log.warn(
          { err: error, waiting: this.pending.length, givenUp: Math.max(0, excess) },
          'access records wait for the database',
        );
        return;
      }
    }
  }

  private servedRequest(entry: Entry): ServedRequest {
    const { at, ip, userAgent, ownKind, ownVisitorId, pageView, userId, apiKeyId, category, isOnlyCounted } = entry;
    const { method, route, status, durationMs } = entry;
    const kind = clientKindOf(ownKind, userAgent);
    const { hash, country } = this.clientOf(plainAddress(ip), userAgent);
    return {
      at,
      visitor: visitorOf(kind, ownVisitorId, hash),
      userId,
      apiKeyId,
      clientKind: kind,
      method,
      path: pageView?.path ?? route,
      isPage: pageView !== null,
      referrer: pageView?.referrer ?? null,
      status,
      durationMs,
      country,
      isOnlyCounted,
      // Calls of the console are not part of a plan.
      isUsage: userId !== null && category !== null && category !== 'account',
    };
  }

  private clientOf(address: string | null, userAgent: string) {
    const key = `${address}\0${userAgent}`;
    let client = this.clients.get(key);
    if (!client) {
      const { identifierKey, countryOf } = this.options;
      client = { hash: hashClient(identifierKey, address ?? '', userAgent), country: countryOf(address) };
      this.clients.set(key, client);
    }
    return client;
  }
}

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined);
