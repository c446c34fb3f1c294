/** Access tokens, refresh tokens, and API keys. Only access tokens can be checked without the database. */
import { createHmac, hash, randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { ServiceError } from '../../engine/util/errors.ts';

export const ACCESS_TOKEN_SECONDS = 15 * 60;
export const REFRESH_TOKEN_DAYS = 30;

const ISSUER = 'market-data-service';
const AUDIENCE = 'console';
const MAX_TOKEN_CHARS = 2048;

/** The hash that is stored instead of a credential. With 256 random bits, a slow hash would gain nothing. */
export function hashCredential(plaintext: string): Buffer {
  return hash('sha256', plaintext, 'buffer');
}

/** The hash of a credential in hexadecimal. */
export function hexHashOfCredential(plaintext: string): string {
  return hash('sha256', plaintext, 'hex');
}

/** A new credential: the caller gets the plaintext once, and the hash is stored. */
export interface NewCredential {
  readonly plaintext: string;
  readonly hash: Buffer;
}

const API_KEY = /^md_[0-9a-f]{64}$/;
const PREFIX_CHARS = 11;
/** Access tokens of assistants; those of login sessions have dots. */
const GRANT_TOKEN = /^[\w-]{43}$/;

export function isApiKey(text: string): boolean {
  return API_KEY.test(text);
}

export function isGrantToken(text: string): boolean {
  return GRANT_TOKEN.test(text);
}

export function newApiKey(): NewCredential & { readonly prefix: string } {
  const plaintext = `md_${randomBytes(32).toString('hex')}`;
  return { plaintext, hash: hashCredential(plaintext), prefix: plaintext.slice(0, PREFIX_CHARS) };
}

export function newRefreshToken(): NewCredential {
  const plaintext = randomBytes(32).toString('base64url');
  return { plaintext, hash: hashCredential(plaintext) };
}

export interface AccessClaims {
  readonly userId: number;
  readonly sessionId: string;
  readonly tokenVersion: number;
}

const claimsSchema = z.object({
  sub: z.string().regex(/^[1-9]\d{0,15}$/),
  sid: z.uuid(),
  ver: z.int(),
  exp: z.int(),
});

/** Signs and verifies access tokens: HS256 only, with the issuer, the audience, and the clock of the service. */
export class AccessTokens {
  private readonly secret: string;
  private readonly now: () => number;

  constructor(secret: string, now: () => number) {
    this.secret = secret;
    this.now = now;
  }

  sign({ userId, sessionId, tokenVersion }: AccessClaims): string {
    const iat = Math.floor(this.now() / 1000);
    return jwt.sign({ sid: sessionId, ver: tokenVersion, iat }, this.secret, {
      algorithm: 'HS256',
      issuer: ISSUER,
      audience: AUDIENCE,
      subject: String(userId),
      expiresIn: ACCESS_TOKEN_SECONDS,
    });
  }

  /**
   * The successor of a refresh token of the web site. It is derived with the secret, so that it can be given again to a browser
   * that lost the answer and still sends the previous token.
   */
  successorOf(refreshToken: string): NewCredential {
    const plaintext = createHmac('sha256', this.secret).update(`refresh\0${refreshToken}`).digest('base64url');
    return { plaintext, hash: hashCredential(plaintext) };
  }

  /** Throws `invalid_credential` unless the token was issued here and has not expired. */
  verify(token: string): AccessClaims {
    try {
      if (token.length > MAX_TOKEN_CHARS) throw new RangeError('the token is too long');
      const claims = jwt.verify(token, this.secret, {
        algorithms: ['HS256'],
        issuer: ISSUER,
        audience: AUDIENCE,
        clockTimestamp: Math.floor(this.now() / 1000),
      });
      const { sub, sid, ver } = claimsSchema.parse(claims);
      return { userId: Number(sub), sessionId: sid, tokenVersion: ver };
    } catch {
      throw new ServiceError('invalid_credential');
    }
  }
}
