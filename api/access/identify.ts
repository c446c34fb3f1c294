/** Finds the caller behind the credentials of a request. */
import { createHmac, randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import {
  type Account,
  CALLERS_CHANGED_CHANNEL,
  echoThroughCallersChannel,
  type KeyHolder,
  type LoginSessionHolder,
  selectGrantHolders,
  selectKeyHolders,
  selectLoginSessionHolders,
} from '../../db/accounts/callers.ts';
import { Batcher } from '../../db/batcher.ts';
import type { Listener } from '../../db/listener.ts';
import type { Queryable } from '../../db/pool.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { type Caller, callerAddress, type Guest, type KeyCaller, type SessionCaller } from './caller.ts';
import { PLANS, type PlanCode } from './plans.ts';
import type { RequestContext } from './request-context.ts';
import { type AccessTokens, hexHashOfCredential, isApiKey, isGrantToken } from './tokens.ts';

const TTL_MS = 60_000;
/** Callers that a process caches at most. */
const MAX_CALLERS = 50_000;
/** Notifications arrive within milliseconds; after this long the database counts as unreachable. */
const ECHO_MS = 1_000;

/**
 * A cache of the accounts behind credentials. A database trigger notifies every process of a change to an account, its keys, or its login
 * sessions, and the process drops the account; entries expire after a minute. So most calls need no statement for their credential, and
 * callers of the last minute can be identified while the database is unavailable.
 */
export interface KnownCallers {
  /** By the hash of the key, in hexadecimal; null for an unknown key. */
  byKey(hash: string, read: () => Promise<KeyHolder | null>): Promise<KeyHolder | null>;
  bySession(sessionId: string, read: () => Promise<LoginSessionHolder | null>): Promise<LoginSessionHolder | null>;
  /** Resolves when this process has dropped what changed in transactions that have committed by now. */
  caughtUp(): Promise<void>;
}

export async function openKnownCallers(options: {
  readonly listener: Listener;
  readonly db: Queryable;
}): Promise<KnownCallers> {
  const cache = <T extends Account>() => new LRUCache<string, T>({ max: MAX_CALLERS, ttl: TTL_MS });
  const keys = cache<KeyHolder>();
  const sessions = cache<LoginSessionHolder>();
  const credentials = new LRUCache<number, Set<string>>({ max: MAX_CALLERS });
  const echoes = new Map<string, () => void>();
  /** Increases with every change: a read during which it changes may be outdated and is not cached. */
  let changes = 0;

  function drop(payload: string): void {
    changes++;
    const userId = Number(payload);
    for (const credential of credentials.get(userId) ?? []) {
      keys.delete(credential);
      sessions.delete(credential);
    }
    credentials.delete(userId);
  }

  function dropAll(): void {
    changes++;
    keys.clear();
    sessions.clear();
    credentials.clear();
  }

  await options.listener.subscribe({
    channels: {
      [CALLERS_CHANGED_CHANNEL]: (payload) => {
        const onEcho = echoes.get(payload);
        if (onEcho) onEcho();
        else drop(payload);
      },
    },
    // Notifications may have been missed.
    onConnected: dropAll,
  });

  async function lookUp<T extends Account>(
    known: LRUCache<string, T>,
    credential: string,
    read: () => Promise<T | null>,
  ): Promise<T | null> {
    const found = known.get(credential);
    if (found) return found;
    const changesBefore = changes;
    const holder = await read();
    if (!holder || changes !== changesBefore) return holder;
    known.set(credential, holder);
    const ofAccount = credentials.get(holder.userId) ?? new Set();
    credentials.set(holder.userId, ofAccount.add(credential));
    return holder;
  }

  return {
    byKey: (hash, read) => lookUp(keys, hash, read),
    bySession: (sessionId, read) => lookUp(sessions, sessionId, read),

    async caughtUp() {
      const id = randomUUID();
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        // Without notifications, cached callers cannot be trusted.
        dropAll();
        resolve();
      }, ECHO_MS);
      echoes.set(id, resolve);
      try {
        await echoThroughCallersChannel(options.db, id);
        await promise;
      } catch {
        dropAll();
      } finally {
        clearTimeout(timer);
        echoes.delete(id);
      }
    },
  };
}

/** Finds the caller of a request. Throws for a credential that is not valid. */
export type Identify = (request: Request) => Promise<Caller>;

export interface CallerLookupOptions {
  readonly db: Queryable;
  readonly known: KnownCallers;
  readonly tokens: AccessTokens;
  /** Keys the hashes of e-mail addresses in the names of counters. */
  readonly identifierKey: string;
  readonly now: () => number;
}

/**
 * Names accounts in the limiter's counters by a keyed hash of their e-mail address, which never changes: an account that
 * is deleted and signed up again keeps its counters.
 */
function createCounterNames(identifierKey: string): CounterName {
  const names = new LRUCache<number, string, string>({
    max: MAX_CALLERS,
    memoMethod: (_userId, _stale, { context: email }) =>
      createHmac('sha256', identifierKey).update(`account\0${email}`).digest('base64url').slice(0, 22),
  });
  return ({ userId, email }) => names.memo(userId, { context: email });
}

/** The slot whose counters a key uses: its own, or the last slot of the plan if that is lower. */
function countedSlot({ slot }: KeyHolder, plan: PlanCode): number {
  const last = PLANS[plan].quotas.api_keys_max;
  return Math.min(slot ?? last, last);
}

/** The plan in force at a moment (Unix ms): an expired plan is `free`. */
export function effectivePlan({ plan, planExpiresAt }: Pick<Account, 'plan' | 'planExpiresAt'>, now: number): PlanCode {
  return isOver(planExpiresAt, now) ? 'free' : plan;
}

const isOver = (end: Date | null, now: number) => end !== null && end.getTime() <= now;

/**
 * Identifies callers by their credentials. Every credential that is sent must be valid; without one the caller is a
 * guest, identified by its address. Concurrent calls share the statement that reads accounts which are not cached.
 */
export function createCallerLookup(options: CallerLookupOptions): Identify {
  const counterName = createCounterNames(options.identifierKey);
  const keyCaller = createKeyLookup(options, counterName, { isOne: isApiKey, select: selectKeyHolders });
  const grantCaller = createKeyLookup(options, counterName, { isOne: isGrantToken, select: selectGrantHolders });
  const sessionCaller = createSessionLookup(options, counterName);
  const byBearerOf = (bearer: string, context: RequestContext) => {
    if (bearer.startsWith('md_')) return keyCaller;
    return isGrantToken(bearer) && context.takesGrants ? grantCaller : sessionCaller;
  };
  return async ({ headers: { authorization, 'x-api-key': key }, context }) => {
    const bearer = authorization === undefined ? undefined : bearerOf(authorization);
    const [byKey, byBearer] = await Promise.all([
      key === undefined ? null : keyCaller(String(key)),
      bearer === undefined ? null : byBearerOf(bearer, context)(bearer),
    ]);
    return byKey ?? byBearer ?? guestOf(context.ip);
  };
}

function guestOf(ip: string | undefined): Guest {
  return { kind: 'guest', counter: `ip:${callerAddress(ip)}`, plan: 'guest' };
}

/** Credentials that one statement looks up at most. */
const MAX_BATCH = 500;

type CounterName = (account: Account) => string;

function createKeyLookup(
  { db, known, now }: CallerLookupOptions,
  counterName: CounterName,
  { isOne, select }: { readonly isOne: (text: string) => boolean; readonly select: typeof selectKeyHolders },
): (key: string) => Promise<KeyCaller> {
  const holders = new Batcher<string, KeyHolder | null>({
    max: MAX_BATCH,
    run: async (hashes) => {
      const rows = await select(
        db,
        hashes.map((hash) => Buffer.from(hash, 'hex')),
      );
      const byHash = new Map(rows.map((row) => [row.keyHash.toString('hex'), row]));
      return hashes.map((hash) => byHash.get(hash) ?? null);
    },
  });
  return async (key) => {
    const hash = isOne(key) ? hexHashOfCredential(key) : null;
    const holder = hash && (await known.byKey(hash, () => holders.add(hash)));
    if (!holder || isOver(holder.expiresAt, now())) throw new ServiceError('invalid_credential');
    const plan = effectivePlan(holder, now());
    const counter = `key:${counterName(holder)}:${countedSlot(holder, plan)}`;
    const { apiKeyId, scopes, clientId, expiresAt } = holder;
    const isGrant = clientId !== null;
    return { kind: 'key', counter, plan, account: holder, apiKeyId, scopes, isGrant, expiresAt };
  };
}

function createSessionLookup(
  { db, known, tokens, now }: CallerLookupOptions,
  counterName: CounterName,
): (token: string) => Promise<SessionCaller> {
  const holders = new Batcher<string, LoginSessionHolder | null>({
    max: MAX_BATCH,
    run: async (ids) => {
      const byId = new Map((await selectLoginSessionHolders(db, ids)).map((row) => [row.sessionId, row]));
      return ids.map((id) => byId.get(id) ?? null);
    },
  });
  return async (token) => {
    const { sessionId, userId, tokenVersion } = tokens.verify(token);
    const holder = await known.bySession(sessionId, () => holders.add(sessionId));
    if (!holder || holder.userId !== userId || holder.tokenVersion !== tokenVersion) {
      throw new ServiceError('invalid_credential');
    }
    const plan = effectivePlan(holder, now());
    const counter = `user:${counterName(holder)}`;
    return { kind: 'session', counter, plan, account: holder, loginMethod: holder.loginMethod };
  };
}

/** The credential of an Authorization header. Throws for any scheme but Bearer. */
function bearerOf(header: string): string {
  const match = /^Bearer +(\S+)$/i.exec(header);
  if (!match) throw new ServiceError('invalid_credential');
  return match[1];
}
