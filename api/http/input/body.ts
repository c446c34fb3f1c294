/** Reads JSON bodies. Bytes, values, and nesting are checked against the limits of the route before anything walks the body. */
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import express from 'express';
import { ServiceError } from '../../../engine/util/errors.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  /** Keys and list items on all levels together. */
  readonly maxValues: number;
}

const KIB = 1024;
/** The limits of a route that declares none. */
export const COMMON_BODY: BodyLimits = { maxBytes: 16 * KIB, maxValues: 1_000 };
export const MAX_BODY_DEPTH = 32;
/** Long bodies are lists. Each key costs much more to check than an item of a list. */
const MAX_BODY_KEYS = 1_000;

/** The limits of a body that is a list of up to `count` symbols and little else. */
export function symbolListBody(count: number): BodyLimits {
  return { maxBytes: Math.min(KIB * KIB, Math.ceil((count * 24) / KIB) * KIB), maxValues: count + 100 };
}

/** Reads the JSON body of a request into `request.body`. With `isForgiving`, an invalid body is ignored. */
export function bodyReader(
  limits: BodyLimits,
  isForgiving: boolean,
): (request: Request, response: Response) => Promise<void> {
  const parseJson = express.json({
    limit: limits.maxBytes,
    // Text, numbers, and null are JSON too; the schema refuses them with a specific error.
    strict: false,
    type: 'application/json',
    verify: (_request, _response, body, encoding) => assertWithin(body, encoding, limits.maxValues),
  });
  return (request, response) => {
    if (!isForgiving) assertJson(request);
    return new Promise((resolve, reject) => {
      parseJson(request, response, (error?: unknown) => (error && !isForgiving ? reject(error) : resolve()));
    });
  };
}

/** Refuses a body that is not JSON before it is read. */
function assertJson(request: Request): void {
  const { 'transfer-encoding': encoding, 'content-length': length } = request.headers;
  const hasBody = encoding !== undefined || Number(length) > 0;
  if (hasBody && !request.is('application/json')) throw new ServiceError('unsupported_media_type');
}

const longBodies = new WeakSet<IncomingMessage>();

/** Lets the body of a request take as long as it needs. */
export function allowLongBody(request: IncomingMessage): void {
  longBodies.add(request);
}

/** Closes the connection of a request whose body has not come after `ms`, unless it may take longer. */
export function limitBodyTime(request: IncomingMessage, ms: number): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && !(Number(length) > 0)) return;
  const timer = setTimeout(() => {
    if (!request.complete && !longBodies.has(request)) request.socket.destroy();
  }, ms);
  request.once('close', () => clearTimeout(timer));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Throws when the text of a body has too many values, keys, or levels. Reads each byte once; the JSON need not be valid. */
export function assertWithin(body: Uint8Array, encoding: string, maxValues: number): void {
  if (encoding !== 'utf-8') throw new ServiceError('unsupported_media_type');
  let values = 0;
  let keys = 0;
  let depth = 0;
  for (let i = 0; i < body.length; i++) {
    const byte = body[i];
    if (byte === QUOTE) {
      i = endOfString(body, i + 1);
    } else if (byte === COMMA) {
      values++;
    } else if (byte === COLON) {
      keys++;
      if (keys > MAX_BODY_KEYS) throw new ServiceError('body_too_many_values', { because: 'keys', max: MAX_BODY_KEYS });
    } else if (OPENING.has(byte)) {
      values++;
      depth++;
      if (depth > MAX_BODY_DEPTH) throw new ServiceError('body_too_deep', { max: MAX_BODY_DEPTH });
    } else if (CLOSING.has(byte)) {
      depth--;
    }
    if (values > maxValues) throw new ServiceError('body_too_many_values', { max: maxValues });
  }
}

/** Longer strings, such as files, are searched by the system. */
const SHORT_STRING = 256;

/** The position of the quote that ends a string. */
function endOfString(body: Uint8Array, from: number): number {
  let i = from;
  while (i < body.length && body[i] !== QUOTE) {
    if (i === from + SHORT_STRING) {
      const next = body.indexOf(QUOTE, i);
      if (next === -1 || body[next - 1] !== BACKSLASH) return next === -1 ? body.length : next;
    }
    i += body[i] === BACKSLASH ? 2 : 1;
  }
  return i;
}
