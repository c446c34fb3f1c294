/** Answers calls of the Model Context Protocol with its library. */
import {
  createMcpHandler,
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { ServiceError } from '../../engine/util/errors.ts';
import { beginResponse } from '../http/answer/respond.ts';
import type { CallOperation, Services } from './operations.ts';
import { LIST_STAND_IN, openServer, TOOL_LIST } from './server.ts';

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

/** Answers a call of the protocol, and returns the status. */
export async function answerWith(
  request: Request,
  response: Response,
  services: Services,
  call: CallOperation,
): Promise<number> {
  const { publicApiBase, log } = services;
  const { context } = request;
  const link = (path: string, query: Readonly<Record<string, unknown>> = {}) => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
    return `${publicApiBase}${path}${search.size > 0 ? `?${search}` : ''}`;
  };
  const handler = createMcpHandler(() => openServer({ call, link }), {
    maxSubscriptions: 0,
    onerror: (error) => log.debug({ err: error, requestId: context.requestId }, 'a call of the protocol was refused'),
  });
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
  const text = await answer.text();
  const isList = request.body?.method === 'tools/list';
  beginResponse(request, response, answer.status).send(isList ? text.replace(LIST_STAND_IN, () => TOOL_LIST) : text);
  await handler.close();
  return answer.status;
}
