/** Posts to addresses that users have chosen: only to reachable ones. */
import type { LookupAddress } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { codeOf } from '../../engine/util/errors.ts';
import { resolveName } from '../contracts/resolve-name.ts';
import { type AllowedNetworks, isReachable, literalAddress } from '../contracts/webhooks.ts';

const TIMEOUT_MS = 10_000;
const PRIVATE = 'EPRIVATE';

export interface Answer {
  /** Null: there was no answer. */
  readonly status: number | null;
  /** Why there was no answer: a code such as ECONNREFUSED. */
  readonly error: string | null;
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
  // Only the status counts: what a receiver says is neither stored nor waited for.
  call.on('response', (response) => {
    resolve({ status: response.statusCode ?? 0, error: null });
    response.on('error', () => {}).destroy();
  });
  call.end(body);
  return promise;
}

function failed(error: unknown): Answer {
  const code = codeOf(error) ?? 'ECONNFAILED';
  return { status: null, error: code === 'ABORT_ERR' ? 'ETIMEDOUT' : code };
}
