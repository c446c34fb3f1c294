/** Fetches the metadata documents of clients, whose addresses strangers choose: with the guard of webhooks. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { guardedLookup, privateAddress } from '../../jobs/contracts/guarded-lookup.ts';
import { type AllowedNetworks, addressProblem } from '../../jobs/contracts/webhooks.ts';

export interface Reach {
  /** Networks besides the public internet that may be reached. */
  readonly allowed: AllowedNetworks;
  /** Default: those of the system. */
  readonly nameServers?: readonly string[];
}

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 5 * 1024;

/** Gets a document over https without following redirects. */
export async function fetchDocument(address: URL, { allowed, nameServers }: Reach): Promise<Response> {
  if (address.protocol !== 'https:' || addressProblem(address.href, allowed) !== null) throw privateAddress();
  const call = request(address, {
    agent: false,
    headers: { accept: 'application/json', 'user-agent': 'market-data-service' },
    lookup: guardedLookup(allowed, nameServers),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answered = once(call, 'response');
  call.end();
  const [answer]: IncomingMessage[] = await answered;
  const { statusCode: status = 500, headers } = answer;
  const cacheControl = headers['cache-control'] ?? '';
  return new Response(await textWithin(answer), { status, headers: { 'cache-control': cacheControl } });
}

/** Throws for more than a document may have. */
async function textWithin(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw new RangeError('the document is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
