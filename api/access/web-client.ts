/**
 * The client of a call: its kind, the visitor whom it serves, and the web site, whose refresh token is a cookie that scripts cannot read
 * and that no other site can send.
 */
import { createHmac } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { CLIENT_KINDS, type ClientKind } from '../../db/log/access-records.ts';
import { REFRESH_TOKEN_DAYS } from './tokens.ts';

export interface WebClient {
  /** The refresh token of its cookie, if it sent one. */
  readonly refreshToken: string | undefined;
  /** The request of an assistant that its browser was opened for, if any. */
  readonly grantRequest: string | undefined;
  /** Whether it was loaded over https. */
  readonly isSecure: boolean;
}

const TOKEN_COOKIE = 'refresh_token';
/** The only paths that browsers send the token to. */
const TOKEN_PATH = '/api/auth';
/** Lets pages choose their links before any script has run; it is no proof of a login. */
const HINT_COOKIE = 'signed_in';
/** Set by the authorization server; only the calls that decide on a request get it. */
export const REQUEST_COOKIE = 'grant_request';
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
  const cookies = parseCookie(cookie ?? '');
  return {
    refreshToken: cookies[TOKEN_COOKIE],
    grantRequest: cookies[REQUEST_COOKIE],
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

const kinds = new LRUCache<string, ClientKind>({ max: 1_000, memoMethod: guessKind });

/** The kind that the client declares, else a guess by its user agent. */
export function clientKindOf(named: string | undefined, userAgent: string): ClientKind {
  const own = CLIENT_KINDS.find((kind) => kind === named?.toLowerCase());
  return own ?? kinds.memo(userAgent);
}

/** Browsers and most robots call themselves Mozilla; anything else is a program. */
function guessKind(userAgent: string): ClientKind {
  if (/^Mozilla\//.test(userAgent)) return isbot(userAgent) ? 'bot' : 'web';
  if (/bot\b|crawler|spider/i.test(userAgent)) return 'bot';
  const tool = /\b(sdk|mcp|skill)\b/i.exec(userAgent);
  return CLIENT_KINDS.find((kind) => kind === tool?.[1].toLowerCase()) ?? 'api';
}

const VISITOR_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** Identifies an address with its user agent, without revealing either. */
export function hashClient(key: string, address: string, userAgent: string): string {
  return `#${createHmac('sha256', key).update(`${address}\0${userAgent}`).digest('base64url').slice(0, 22)}`;
}

/** A browser's own id (X-Visitor-Id, as sent); otherwise the hash of the client. */
export function visitorOf(kind: ClientKind, ownId: string | undefined, clientHash: string): string {
  return kind === 'web' && ownId !== undefined && VISITOR_ID.test(ownId) ? ownId : clientHash;
}
