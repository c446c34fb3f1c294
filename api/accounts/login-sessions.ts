/** Sessions: from a proven identity to a token pair, and from one pair to the next. */
import { randomUUID } from 'node:crypto';
import {
  insertLoginSession,
  insertRefreshToken,
  type LoginMethod,
  revokeLoginSessionOfToken,
  revokeLoginSessionsOfReusedToken,
  rotateRefreshToken,
} from '../../db/accounts/login-sessions.ts';
import { selectUser, type User } from '../../db/accounts/users.ts';
import { type Connection, transaction } from '../../db/pool.ts';
import { ServiceError } from '../../engine/errors.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { ACCESS_TOKEN_SECONDS, hashCredential, newRefreshToken, REFRESH_TOKEN_DAYS } from '../access/tokens.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Services } from '../services.ts';

export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: 'Bearer';
  /** Seconds that the access token is valid. */
  readonly expires_in: number;
}

/** A new session for an account, inside the transaction of its login. */
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
  { tokens, now }: Services,
  user: User,
  sessionId: string,
): Promise<TokenPair> {
  const refresh = newRefreshToken();
  const expiresAt = new Date(now() + REFRESH_TOKEN_DAYS * MS_PER_DAY);
  await insertRefreshToken(connection, { sessionId, tokenHash: refresh.hash, expiresAt });
  return {
    access_token: tokens.sign({ userId: user.id, sessionId, tokenVersion: user.tokenVersion }),
    refresh_token: refresh.plaintext,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
  };
}

/**
 * The next pair for a refresh token, which is used up by it. A token that was used before ends all sessions of its
 * account: somebody else has it.
 */
export async function refreshSession(
  services: Services,
  { requestId }: RequestContext,
  refreshToken: string,
): Promise<TokenPair> {
  const tokenHash = hashCredential(refreshToken);
  const at = new Date(services.now());
  const pair = await transaction(services.pool, async (connection) => {
    const session = await rotateRefreshToken(connection, tokenHash, at);
    const user = session && (await selectUser(connection, session.userId));
    if (user) return issuePair(connection, services, user, session.sessionId);
    // The refusal must not take this back, so it is thrown after the commit.
    const ended = await revokeLoginSessionsOfReusedToken(connection, tokenHash, at);
    if (ended > 0) {
      services.log.warn({ requestId, sessions: ended }, 'a refresh token was used twice; its account is signed out');
    }
    return null;
  });
  if (!pair) throw new ServiceError('refresh_invalid');
  return pair;
}

/** Ends the session of a refresh token, if it has one. */
export async function endSession({ pool, now }: Services, refreshToken: string): Promise<void> {
  await revokeLoginSessionOfToken(pool, hashCredential(refreshToken), new Date(now()));
}
