/**
 * A cache of the accounts behind credentials. A database trigger notifies every process of a change to an account, its keys,
 * or its login sessions, and the process drops the account; entries expire after a minute. So most calls need no statement
 * for their credential, and callers of the last minute can be identified while the database is unavailable.
 */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  type Account,
  CALLERS_CHANGED_CHANNEL,
  echoThroughCallersChannel,
  type KeyHolder,
  type LoginSessionHolder,
} from '../../db/accounts/callers.ts';
import type { Listener } from '../../db/listener.ts';
import type { Queryable } from '../../db/pool.ts';

const TTL_MS = 60_000;
/** Callers that a process caches at most. */
export const MAX_CALLERS = 50_000;
/** Notifications arrive within milliseconds; after this long the database counts as unreachable. */
const ECHO_MS = 1_000;

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
