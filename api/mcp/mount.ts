/** `/mcp`: tools for assistants, by the Model Context Protocol over streamable HTTP, without sessions. */
import type { Express } from 'express';
import { ServiceError } from '../../engine/util/errors.ts';
import { callerAddress } from '../access/caller.ts';
import type { Observe } from '../access/request-context.ts';
import type { Route } from '../call/route.ts';
import { bodyReader } from '../http/input/body.ts';
import { openOperations, type Services } from './operations.ts';

const MCP_PATH = '/mcp';
/** Enough for a portfolio, or for a grid with rules. */
const BODY = { maxBytes: 64 * 1024, maxValues: 2_000 };

export interface McpOptions<S> {
  /** The routes whose operations tools may call. */
  readonly routes: readonly Route<S>[];
  readonly observe: Observe;
  /** Sites whose pages may call every route. */
  readonly corsOrigins: readonly string[];
}

export function mountMcp<S extends Services>(app: Express, services: S, options: McpOptions<S>): void {
  const { routes, observe, corsOrigins } = options;
  const readBody = bodyReader(BODY, false);
  let operations: ReturnType<typeof openOperations<S>> | undefined;
  const hostnameOf = (address: string) => new URL(address).hostname;
  const known = { own: hostnameOf(services.publicApiBase), sites: corsOrigins.map(hostnameOf) };
  app.post(MCP_PATH, async (request, response) => {
    const { context } = request;
    context.route = MCP_PATH;
    context.takesGrants = true;
    // Calls to this path come from assistants, regardless of their user agent.
    request.headers['x-client-kind'] = 'mcp';
    // Loaded on the first call: the library takes 30 MB, and few processes need it.
    const [{ answerWith }, { assertKnownHost }] = await Promise.all([import('./protocol.ts'), import('./serve.ts')]);
    operations ??= openOperations(routes, services, observe);
    assertKnownHost(request, known);
    context.caller = await services.identify(request);
    await services.limiter.enforce({ counter: `ip:${callerAddress(context.ip)}` }, services.publicRule, context);
    await readBody(request, response);
    // Each call is counted once, so it carries one message, as revisions of the protocol since 2025-06-18 have it.
    if (Array.isArray(request.body)) throw new ServiceError('invalid_request', { because: 'batch' });
    const operation = operations(request);
    let isRecorded = false;
    const call: typeof operation = (...given) => {
      isRecorded = true;
      return operation(...given);
    };
    const status = await answerWith(request, response, { services, caller: context.caller, call });
    // Operations record themselves.
    if (!isRecorded) observe(request, status);
  });
  app.all(MCP_PATH, (request) => {
    request.context.headers.Allow = 'POST';
    throw new ServiceError('method_not_allowed', { method: request.method, allowed: 'POST' });
  });
}
