/** Opens login sessions, and exchanges refresh tokens. */
import { randomUUID } from 'node:crypto';
import {
  insertLoginSession,
  insertRefreshToken,
  type LoginMethod,
  revokeLoginSessionOfToken,
  revokeLoginSessionsOfReusedToken,
  rotateRefreshToken,
  selectSessionOfToken,
} from '../../db/accounts/logins.ts';
import { selectUser, type User } from '../../db/accounts/users.ts';
import { type Connection, transaction } from '../../db/pool.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { RequestContext } from '../access/request-context.ts';
import {
  ACCESS_TOKEN_SECONDS,
  hashCredential,
  type NewCredential,
  newRefreshToken,
  REFRESH_TOKEN_DAYS,
} from '../access/tokens.ts';
import type { Services } from './services.ts';

export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: 'Bearer';
  /** Lifetime of the access token, in seconds. */
  readonly expires_in: number;
}

/** Opens a login session, inside the transaction of the login. */
export async function openLoginSession(
  connection: Connection,
  services: Services,
  user: User,
  loginMethod: LoginMethod,
): Promise<TokenPair> {
  const sessionId = randomUUID();
  await insertLoginSession(connection, { id: sessionId, userId: user.id, loginMethod, at: new Date(services.now()) });
  return issuePair(connection, services, user, sessionId);
}

async function issuePair(
  connection: Connection,
  services: Services,
  user: User,
  sessionId: string,
  refresh: NewCredential = newRefreshToken(),
): Promise<TokenPair> {
  const expiresAt = new Date(services.now() + REFRESH_TOKEN_DAYS * MS_PER_DAY);
  await insertRefreshToken(connection, { sessionId, tokenHash: refresh.hash, expiresAt });
  return pairOf(services, user, sessionId, refresh.plaintext);
}

function pairOf({ tokens }: Services, user: User, sessionId: string, refreshToken: string): TokenPair {
  return {
    access_token: tokens.sign({ userId: user.id, sessionId, tokenVersion: user.tokenVersion }),
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
  };
}

export interface Refreshed {
  readonly pair: TokenPair;
  readonly user: User;
}

/**
 * Exchanges a refresh token for the next pair. Reuse of a token ends all login sessions of its account, because the token may
 * have been stolen. A token of the web site that was replaced a moment ago is answered with its successor instead: a page that
 * is closed while it refreshes never receives the new one.
 */
export async function refreshSession(
  services: Services,
  { requestId }: RequestContext,
  refreshToken: string,
  isWeb: boolean,
): Promise<Refreshed> {
  const tokenHash = hashCredential(refreshToken);
  const at = new Date(services.now());
  const refreshed = await transaction(services.pool, async (connection) => {
    const session = await rotateRefreshToken(connection, tokenHash, at);
    const user = session && (await selectUser(connection, session.userId));
    if (user) {
      const next = isWeb ? services.tokens.successorOf(refreshToken) : newRefreshToken();
      return { user, pair: await issuePair(connection, services, user, session.sessionId, next) };
    }
    const late = isWeb ? await lateSuccessor(connection, services, refreshToken, at) : null;
    if (late) return late;
    // The refusal must not roll this back, so it is thrown after the commit.
    const ended = await revokeLoginSessionsOfReusedToken(connection, tokenHash, at);
    if (ended > 0) {
      services.log.warn({ requestId, sessions: ended }, 'a refresh token was used twice; its account is signed out');
    }
    return null;
  });
  if (!refreshed) throw new ServiceError('refresh_invalid');
  return refreshed;
}

/** How long a replaced token of the web site is still answered with its successor. */
const GRACE_MS = 10_000;
/** The maximum number of replacements to follow, each by a page that was closed while it refreshed. */
const MAX_REPLACEMENTS = 20;

/** The newest pair of the session, for a token of the web site that was replaced within the grace time. */
async function lateSuccessor(
  connection: Connection,
  services: Services,
  refreshToken: string,
  at: Date,
): Promise<Refreshed | null> {
  const since = new Date(at.getTime() - GRACE_MS);
  let token = refreshToken;
  for (let step = 0; step <= MAX_REPLACEMENTS; step++) {
    const session = await selectSessionOfToken(connection, hashCredential(token), at, since);
    if (!session) return null;
    if (!session.isReplaced) {
      const user = await selectUser(connection, session.userId);
      return user && { user, pair: pairOf(services, user, session.sessionId, token) };
    }
    token = services.tokens.successorOf(token).plaintext;
  }
  return null;
}

/** Ends the login session of a refresh token, if there is one. */
export async function endSession({ pool, now }: Services, refreshToken: string): Promise<void> {
  await revokeLoginSessionOfToken(pool, hashCredential(refreshToken), new Date(now()));
}
