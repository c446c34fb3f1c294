/** The kind of a client, and the id that distinguishes visitors. */
import { createHmac } from 'node:crypto';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { CLIENT_KINDS, type ClientKind } from '../../db/log/access-records.ts';

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
