/** Passes calls over HTTP to a handler of the protocol's library, and its answers back. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  localhostAllowedHostnames,
  type McpHttpHandler,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { ServiceError } from '../../engine/util/errors.ts';
import { beginResponse } from '../http/answer/respond.ts';

const MAX_SHOWN = 200;
/** Headers of the library's answer that are passed on. */
const PASSED = ['content-type', 'mcp-session-id', 'mcp-protocol-version'];

export interface KnownHosts {
  /** Host name of the public address. */
  readonly own: string;
  /** Host names of sites whose pages may call every route. */
  readonly sites: readonly string[];
}

/**
 * Throws for calls of other sites' pages, which must not act for their visitor. With DNS rebinding such a page has our
 * address, but sends its own name as Host.
 */
export function assertKnownHost({ headers }: Request, { own, sites }: KnownHosts): void {
  const { host, origin } = headers;
  const hosts = [own, ...localhostAllowedHostnames()];
  if (!validateHostHeader(host, hosts).ok) throw new ServiceError('host_refused', { host: shown(host) });
  if (!validateOriginHeader(origin, [...hosts, ...sites]).ok) {
    throw new ServiceError('origin_refused', { origin: shown(origin) });
  }
}

const shown = (header: string | undefined) => String(header).slice(0, MAX_SHOWN);

/** Answers a call, as a stream where the handler streams, unless `assertAllowed` throws once there is an answer. Returns the status. */
export async function serve(
  request: Request,
  response: Response,
  handler: McpHttpHandler,
  assertAllowed: () => void = () => {},
): Promise<number> {
  const { context } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value);
  const passed = new globalThis.Request('http://localhost/mcp', {
    method: 'POST',
    headers,
    signal: context.abortSignal(),
  });
  const answer = await handler.fetch(passed, { parsedBody: request.body });
  for (const name of PASSED) {
    const value = answer.headers.get(name);
    if (value !== null) context.headers[name] = value;
  }
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const body = isStream && answer.body !== null ? await begunStream(answer.body) : await answer.text();
  assertAllowed();
  const begun = beginResponse(request, response, answer.status);
  // A client that leaves ends its stream.
  if (body instanceof Readable) await pipeline(body, begun).catch(() => {});
  else begun.send(body);
  return answer.status;
}

/** A stream that has its first piece. */
async function begunStream(body: ReadableStream): Promise<Readable> {
  const stream = Readable.from(body);
  await once(stream, 'readable').catch(() => {});
  return stream;
}
