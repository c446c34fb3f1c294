/**
 * Login codes. A code belongs to the request that created it: a caller with its `challenge`, or from the same IP address, has five
 * tries. Tries of others are counted separately, so they cannot use up the code.
 */
import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import {
  countLoginCodeTry,
  type FoundLoginRequest,
  findLoginRequest,
  insertLoginRequest,
  lockLoginCode,
} from '../../db/accounts/logins.ts';
import { selectUserByEmail, type User } from '../../db/accounts/users.ts';
import { type Connection, transaction } from '../../db/pool.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { hashLoginCode } from '../../jobs/contracts/mail.ts';
import { send } from '../../jobs/queue/send.ts';
import { callerAddress } from '../access/caller.ts';
import type { Guarded } from '../access/rate-limit.ts';
import type { RequestContext } from '../access/request-context.ts';
import type { Services } from './services.ts';

export const CODE_SECONDS = 600;
const MAX_CODE_TRIES = 5;
const CHALLENGE_BYTES = 16;

/** A keyed hash of names for the counters of the guards, which do not store the names. */
export function subjectOf({ identifierKey }: Services, ...names: readonly string[]): string {
  return createHmac('sha256', identifierKey).update(names.join('\n')).digest('base64url');
}

export const addressSubject = (context: RequestContext) => `ip:${callerAddress(context.ip)}`;

/** Whether an account last signed in from the IP address of a call. */
export function isFromLastAddress(account: User | null, context: RequestContext): boolean {
  if (!account || account.lastLoginIp === null) return false;
  return callerAddress(account.lastLoginIp) === callerAddress(context.ip);
}

const hashChallenge = (challenge: string) => createHash('sha256').update(challenge).digest();

/**
 * Queues a mail with a code, and returns the challenge of the request. It does the same work for every e-mail address; an account
 * only makes a difference to callers at the IP address from which it last signed in.
 */
export async function requestCode(services: Services, context: RequestContext, email: string): Promise<string> {
  const { pool, boss, limiter, now } = services;
  const address = addressSubject(context);
  await limiter.pass([{ guard: 'code_address', subject: address }], context);
  const isKnown = isFromLastAddress(await selectUserByEmail(pool, email), context);
  const mine = subjectOf(services, email, address);
  const guards: Guarded[] = [
    { guard: 'code_pause', subject: mine },
    { guard: 'code_hour', subject: mine },
  ];
  if (!isKnown) guards.push({ guard: 'code_account', subject: subjectOf(services, email) });
  await limiter.pass(guards, context);
  const { requestId, locale } = context;
  const at = new Date(now());
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
  const request = {
    email,
    locale,
    challengeHash: hashChallenge(challenge),
    address: subjectOf(services, address),
    isKnown,
  };
  await transaction(pool, async (connection) => {
    const expiresAt = new Date(at.getTime() + CODE_SECONDS * 1000);
    const loginRequestId = await insertLoginRequest(connection, { ...request, at, expiresAt });
    await send(boss, connection, 'mail.login_code', randomUUID(), { loginRequestId, requestId });
  });
  return challenge;
}

export interface CodeTry {
  readonly email: string;
  readonly code: string;
  readonly challenge?: string;
}

/** A try that the guards have admitted. */
export interface AdmittedTry extends CodeTry {
  readonly requestId: number;
  /** Whether it comes from the requester of the code. */
  readonly isOwn: boolean;
  /** Guards that it was counted against. */
  readonly counted: readonly Guarded[];
}

/** Finds the request of a code, and counts the try. Throws if there is no request, or no try is left. */
export async function admitTry(services: Services, context: RequestContext, given: CodeTry): Promise<AdmittedTry> {
  const { pool, now } = services;
  const { email, challenge } = given;
  const address = subjectOf(services, addressSubject(context));
  const challengeHash = challenge === undefined ? null : hashChallenge(challenge);
  const found = await findLoginRequest(pool, { email, challengeHash, address, at: new Date(now()) });
  if (!found) throw codeInvalid(challenge !== undefined);
  const isOwn = challenge !== undefined || found.address === address;
  const counted = await countTry(services, { email, address, isOwn }, found);
  if (!counted) throw codeInvalid(isOwn);
  return { ...given, requestId: found.id, isOwn, counted };
}

/** The guards that a try was counted against; null if one of them has no try left. */
async function countTry(
  services: Services,
  { email, address, isOwn }: { readonly email: string; readonly address: string; readonly isOwn: boolean },
  { id, isKnown, tries }: FoundLoginRequest,
): Promise<Guarded[] | null> {
  const { limiter } = services;
  if (tries >= MAX_CODE_TRIES) return null;
  if (isOwn && isKnown) return [];
  const first: Guarded = { guard: 'code_first', subject: `code:${id}` };
  if (isOwn && (await limiter.isWithin(first))) return [first];
  const elsewhere: Guarded = { guard: 'code_elsewhere', subject: `code:${id}:${address}` };
  if (!isOwn && !(await limiter.isWithin(elsewhere))) return null;
  const others: Guarded = { guard: 'code_tries', subject: subjectOf(services, email) };
  if (!(await limiter.isWithin(others))) return null;
  return isOwn ? [others] : [elsewhere, others];
}

/** Takes back the count of a try with the right code. */
export async function refundTry({ limiter }: Services, { counted }: AdmittedTry): Promise<void> {
  for (const guarded of counted) await limiter.giveBack(guarded);
}

/** Compares in constant time. Null if the code is right; a wrong try counts against the code if it comes from the requester. */
export async function wrongCode(
  connection: Connection,
  { loginCodeKey }: Services,
  { requestId, email, code, isOwn }: AdmittedTry,
): Promise<ServiceError | null> {
  const stored = await lockLoginCode(connection, requestId);
  const given = hashLoginCode(loginCodeKey, email, code);
  if (!stored || stored.tries >= MAX_CODE_TRIES) return codeInvalid(isOwn);
  if (stored.codeHash && timingSafeEqual(stored.codeHash, given)) return null;
  if (!isOwn) return codeInvalid(false);
  await countLoginCodeTry(connection, requestId);
  const left = MAX_CODE_TRIES - stored.tries - 1;
  return left === 0 ? codeInvalid(true) : new ServiceError('code_invalid', { because: 'wrong', left });
}

/** The requester learns that the code is used up; others do not learn whether there is one. */
function codeInvalid(isOwn: boolean): ServiceError {
  return new ServiceError('code_invalid', isOwn ? { because: 'spent' } : {});
}
