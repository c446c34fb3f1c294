/** Posts to addresses that users have chosen: only to reachable ones, and with a limit on the answer. */
import type { LookupAddress } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { codeOf, toError } from '../../engine/util/errors.ts';
import { resolveName } from '../contracts/resolve-name.ts';
import { type AllowedNetworks, isReachable, literalAddress } from '../contracts/webhooks.ts';

const TIMEOUT_MS = 10_000;
const MAX_READ_BYTES = 16_384;
const MAX_SHOWN_CHARS = 500;
const PRIVATE = 'EPRIVATE';

export interface Answer {
  /** Null: there was no answer. */
  readonly status: number | null;
  /** Why there was no answer: a code such as ECONNREFUSED. */
  readonly error: string | null;
  /** The beginning of the body, without control characters. */
  readonly body: string;
}

function privateAddress(): Error {
  return Object.assign(new Error('the address is private'), { code: PRIVATE });
}

/** Checks the address during the lookup for the connection, so that the checked address is the one that is connected to. */
function guardedLookup(allowed: AllowedNetworks, nameServers?: readonly string[]): LookupFunction {
  return (hostname, options, done) => {
    const connect = (found: readonly LookupAddress[]) => {
      const reachable = found.filter(({ address }) => isReachable(address, allowed));
      if (reachable.length === 0) done(privateAddress(), []);
      else if (options.all) done(null, reachable);
      else done(null, reachable[0].address, reachable[0].family);
    };
    resolveName(hostname, nameServers).then(connect, (error) => done(error, []));
  };
}

/** Posts without following redirects. Never rejects. */
export async function post(
  url: URL,
  {
    body,
    headers,
    allowed,
    nameServers,
    signal,
  }: {
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly allowed: AllowedNetworks;
    /** Default: those of the system. */
    readonly nameServers?: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<Answer> {
  const literal = literalAddress(url);
  if (literal !== null && !isReachable(literal, allowed)) return failed(privateAddress());
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const call = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    agent: false,
    lookup: guardedLookup(allowed, nameServers),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  call.on('error', (error) => resolve(failed(error)));
  call.on('response', (response) => {
    const { statusCode = 0 } = response;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = () => {
      resolve({ status: statusCode, error: null, body: shown(Buffer.concat(chunks)) });
      response.destroy();
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_READ_BYTES) end();
    });
    // The status counts even if the body never ends.
    response.on('end', end);
    response.on('error', end);
  });
  call.end(body);
  return promise;
}

function failed(error: unknown): Answer {
  const isTimeout = toError(error).name === 'AbortError';
  return { status: null, error: isTimeout ? 'ETIMEDOUT' : (codeOf(error) ?? 'ECONNFAILED'), body: '' };
}

function shown(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_SHOWN_CHARS)
    .toWellFormed();
}
