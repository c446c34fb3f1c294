/** `/mcp`: the tools for assistants, by the Model Context Protocol over streamable HTTP. It keeps no session. */
import { createMcpHandler, validateOriginHeader } from '@modelcontextprotocol/server';
import type { Express, Request, Response } from 'express';
import { ServiceError } from '../../engine/errors.ts';
import { callerAddress } from '../access/caller-address.ts';
import { sendBody } from '../http/answer/respond.ts';
import { bodyReader } from '../http/input/body.ts';
import type { Observe } from '../http/request-context.ts';
import type { Services } from '../services.ts';
import { openOperations } from './operations.ts';
import { openServer } from './server.ts';

const MCP_PATH = '/mcp';
/** For a portfolio or a grid with its rules. */
const BODY = { maxBytes: 64 * 1024, maxValues: 2_000 };
const MAX_ORIGIN = 200;
/** Headers of an answer of the protocol that are passed on. */
const PASSED = ['content-type', 'mcp-session-id', 'mcp-protocol-version'];

export interface McpOptions {
  readonly observe: Observe;
  /** Sites whose pages may call everything. */
  readonly corsOrigins: readonly string[];
}

export function mountMcp(app: Express, services: Services, { observe, corsOrigins }: McpOptions): void {
  const readBody = bodyReader(BODY, false);
  const operations = openOperations(services, observe);
  const known = corsOrigins.map((origin) => new URL(origin).hostname);
  app.post(MCP_PATH, async (request, response) => {
    const { context } = request;
    context.route = MCP_PATH;
    // Every call of an assistant is one, whatever its user agent.
    request.headers['x-client-kind'] = 'mcp';
    assertOrigin(request, known);
    context.caller = await services.identify(request);
    await services.limiter.enforce({ counter: `ip:${callerAddress(context.ip)}` }, services.publicRule, context);
    await readBody(request, response);
    const status = await answerWith(request, response, services, operations);
    if (!isToolCall(request)) observe(request, status);
  });
  app.all(MCP_PATH, (request) => {
    request.context.headers.Allow = 'POST';
    throw new ServiceError('method_not_allowed', { method: request.method, allowed: 'POST' });
  });
}

/** Pages of other sites may not speak for the one who looks at them. */
function assertOrigin(request: Request, known: readonly string[]): void {
  const allowed = [request.hostname, ...known];
  if (!validateOriginHeader(request.headers.origin, allowed).ok)
    throw new ServiceError('origin_refused', { origin: String(request.headers.origin).slice(0, MAX_ORIGIN) });
}

/** Calls of tools are recorded by the operations that they call. */
function isToolCall({ body }: Request): boolean {
  return body?.method === 'tools/call';
}

async function answerWith(
  request: Request,
  response: Response,
  services: Services,
  operations: ReturnType<typeof openOperations>,
): Promise<number> {
  const { publicApiBase, log } = services;
  const { context } = request;
  const link = (path: string, query: Readonly<Record<string, unknown>> = {}) => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
    return `${publicApiBase}${path}${search.size > 0 ? `?${search}` : ''}`;
  };
  const handler = createMcpHandler(() => openServer({ call: operations(request), link }), {
    maxSubscriptions: 0,
    onerror: (error) => log.debug({ err: error, requestId: context.requestId }, 'a call of the protocol was refused'),
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value);
  const call = new globalThis.Request(`http://localhost${MCP_PATH}`, {
    method: 'POST',
    headers,
    signal: context.whenGone(),
  });
  const answer = await handler.fetch(call, { parsedBody: request.body });
  for (const name of PASSED) {
    const value = answer.headers.get(name);
    if (value !== null) context.headers[name] = value;
  }
  await sendBody(request, response, answer.status, await answer.text());
  await handler.close();
  return answer.status;
}
