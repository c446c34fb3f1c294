/** Who calls. */
import { createHmac } from 'node:crypto';
import DataLoader from 'dataloader';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import {
  type Caller,
  type KeyHolder,
  type LoginSessionHolder,
  selectKeyHolders,
  selectLoginSessionHolders,
} from '../../db/accounts/callers.ts';
import type { Queryable } from '../../db/pool.ts';
import { ServiceError } from '../../engine/errors.ts';
import type { Identity } from '../http/request-context.ts';
import { PLANS, type PlanCode } from '../limits/plans.ts';
import { callerAddress } from './caller-address.ts';
import { type AccessTokens, hashCredential, isApiKey } from './tokens.ts';

export type Identify = (request: Request) => Promise<Identity>;

export interface IdentifyOptions {
  readonly db: Queryable;
  readonly tokens: AccessTokens;
  /** Keys the hashes that stand for e-mails in the names of counters. */
  readonly identifierKey: string;
  readonly now: () => number;
}

const REMEMBERED_NAMES = 10_000;

/**
 * Names accounts in the counters of the limiter by a keyed hash of their e-mail, which never changes: an account that is
 * deleted and signed up again goes on with the counters it had.
 */
function createCounterNames(identifierKey: string): (caller: Caller) => string {
  const names = new LRUCache<number, string>({ max: REMEMBERED_NAMES });
  return ({ userId, email }) => {
    let name = names.get(userId);
    if (name === undefined) {
      name = createHmac('sha256', identifierKey).update(`account\0${email}`).digest('base64url').slice(0, 22);
      names.set(userId, name);
    }
    return name;
  };
}

/** The slot whose counters a key uses: its own, or the last one of the plan when the plan has fewer. */
function countedSlot({ slot }: KeyHolder, plan: PlanCode): number {
  const last = PLANS[plan].quotas.api_keys_max;
  return Math.min(slot ?? last, last);
}

/** The plan that counts at a moment: an expired one is `free`. */
export function effectivePlan({ plan, planExpiresAt }: Pick<Caller, 'plan' | 'planExpiresAt'>, now: number): PlanCode {
  return planExpiresAt !== null && planExpiresAt.getTime() <= now ? 'free' : plan;
}

/**
 * Identifies callers by what they send: every credential must be valid, and none at all means a guest, known by its
 * address. Accounts are read for each call, those of one moment in one statement: nothing is remembered, so a ban, a
 * disabled key or an ended session acts on the very next call in every process.
 */
export function createIdentify({ db, tokens, identifierKey, now }: IdentifyOptions): Identify {
  const counterName = createCounterNames(identifierKey);
  const together = { cache: false, maxBatchSize: 500, batchScheduleFn: setImmediate };
  const keyHolders = new DataLoader<string, KeyHolder | null>(async (hashes) => {
    const rows = await selectKeyHolders(
      db,
      hashes.map((hash) => Buffer.from(hash, 'hex')),
    );
    const byHash = new Map(rows.map((row) => [row.keyHash.toString('hex'), row]));
    return hashes.map((hash) => byHash.get(hash) ?? null);
  }, together);
  const sessionHolders = new DataLoader<string, LoginSessionHolder | null>(async (ids) => {
    const byId = new Map((await selectLoginSessionHolders(db, ids)).map((row) => [row.sessionId, row]));
    return ids.map((id) => byId.get(id) ?? null);
  }, together);

  const keyHolder = async (key: string): Promise<Identity> => {
    const holder = isApiKey(key) ? await keyHolders.load(hashCredential(key).toString('hex')) : null;
    if (!holder) throw new ServiceError('invalid_credential');
    const plan = effectivePlan(holder, now());
    return {
      key: `key:${counterName(holder)}:${countedSlot(holder, plan)}`,
      plan,
      via: 'api_key',
      caller: holder,
      apiKeyId: holder.apiKeyId,
      loginMethod: null,
    };
  };
  const sessionHolder = async (token: string): Promise<Identity> => {
    const { sessionId, userId, tokenVersion } = tokens.verify(token);
    const holder = await sessionHolders.load(sessionId);
    if (!holder || holder.userId !== userId || holder.tokenVersion !== tokenVersion) {
      throw new ServiceError('invalid_credential');
    }
    const plan = effectivePlan(holder, now());
    return {
      key: `user:${counterName(holder)}`,
      plan,
      via: 'session',
      caller: holder,
      apiKeyId: null,
      loginMethod: holder.loginMethod,
    };
  };

  return async (request) => {
    const { authorization, 'x-api-key': key } = request.headers;
    const bearer = authorization === undefined ? undefined : bearerOf(authorization);
    if (key === undefined && bearer === undefined) return guestOf(request);
    const ofBearer =
      bearer === undefined ? undefined : bearer.startsWith('md_') ? keyHolder(bearer) : sessionHolder(bearer);
    const ofKey = key === undefined ? undefined : keyHolder(String(key));
    // Each that is sent must be valid; the key is the identity.
    const identities = await Promise.all([ofKey, ofBearer]);
    return identities.find((identity) => identity !== undefined) as Identity;
  };
}

function guestOf(request: Request): Identity {
  return {
    key: `ip:${callerAddress(request.ip)}`,
    plan: 'guest',
    via: 'guest',
    caller: null,
    apiKeyId: null,
    loginMethod: null,
  };
}

/** The credential of an Authorization header; any other scheme than Bearer is none of ours. */
function bearerOf(header: string): string {
  const match = /^Bearer +(\S+)$/i.exec(header);
  if (!match) throw new ServiceError('invalid_credential');
  return match[1];
}
