/** The web site as a caller: its refresh token is a cookie that scripts cannot read and that no other site can send. */
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { REFRESH_TOKEN_DAYS } from './tokens.ts';

export interface WebClient {
  /** The refresh token of its cookie, if it sent one. */
  readonly refreshToken: string | undefined;
  /** Whether it was loaded over https. */
  readonly isSecure: boolean;
}

const TOKEN_COOKIE = 'refresh_token';
/** The only paths that browsers send the token to. */
const TOKEN_PATH = '/api/auth';
/** Lets pages choose their links before any script has run; it is no proof of a login. */
const HINT_COOKIE = 'signed_in';
const LIFETIME_S = REFRESH_TOKEN_DAYS * 86_400;

/**
 * The web site as the caller, recognized by `X-Client-Kind: web` and our own Origin; null for another client or a page of
 * another site. Browsers set Origin and Sec-Fetch-Site themselves, so another site's page cannot claim to be ours.
 */
export function webClientOf(request: Request): WebClient | null {
  if (request.headers['x-client-kind'] !== 'web') return null;
  const { origin, cookie, 'sec-fetch-site': site } = request.headers;
  const from = origin === undefined ? null : URL.parse(origin);
  if (from === null || from.host !== request.host) return null;
  if (site !== undefined && site !== 'same-origin') return null;
  return {
    refreshToken: parseCookie(cookie ?? '')[TOKEN_COOKIE],
    isSecure: from.protocol === 'https:',
  };
}

/** The cookies of a session that continues. */
export function sessionCookies({ isSecure }: WebClient, refreshToken: string, isAdmin: boolean): string[] {
  return [
    tokenCookie(refreshToken, LIFETIME_S, isSecure),
    hintCookie(isAdmin ? 'admin' : 'member', LIFETIME_S, isSecure),
  ];
}

/** The cookies of a session that is over. */
export function endedCookies({ isSecure }: WebClient): string[] {
  return [tokenCookie('', 0, isSecure), hintCookie('', 0, isSecure)];
}

function tokenCookie(value: string, maxAge: number, secure: boolean): string {
  return stringifySetCookie({
    name: TOKEN_COOKIE,
    value,
    maxAge,
    secure,
    path: TOKEN_PATH,
    httpOnly: true,
    sameSite: 'strict',
  });
}

function hintCookie(value: string, maxAge: number, secure: boolean): string {
  return stringifySetCookie({
    name: HINT_COOKIE,
    value,
    maxAge,
    secure,
    path: '/',
    sameSite: 'lax',
  });
}
