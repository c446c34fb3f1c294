/** Answers calls of the Model Context Protocol with its library: one server for each request. */

import { readFileSync } from 'node:fs';
import {
  type CallToolResult,
  createMcpHandler,
  localhostAllowedHostnames,
  McpServer,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { ServiceError } from '../../engine/util/errors.ts';
import { beginResponse } from '../http/answer/respond.ts';
import { z } from '../http/input/fields.ts';
import { API_VERSION } from '../meta/version.ts';
import { MARKET_TOOLS, similarSymbols } from './market-tools.ts';
import {
  type CallOperation,
  defineTool,
  OperationFailure,
  type Services,
  type Tool,
  type ToolContext,
} from './operations.ts';
import { RESEARCH_TOOLS } from './research-tools.ts';

const PAGE = new URL('../../ops/docs/API.md', import.meta.url);
/** Maximum characters of one answer. Longer sections are returned in parts. */
const MAX_CHARS = 3_000;
const NOTE = 'The examples use the sample market; search_symbols finds symbols of this one.';

/** Heading → text, of the documentation page. */
function readSections(): ReadonlyMap<string, string> {
  const [, ...parts] = readFileSync(PAGE, 'utf8').split(/^## /m);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1).trim()]));
}

const SECTIONS = readSections();

const readDocs = defineTool({
  name: 'read_docs',
  description: 'Documentation by section; without one, the sections.',
  inputSchema: z.object({ section: z.string().max(100).optional(), part: z.number().int().min(1).default(1) }),
  isReadOnly: true,
  run: async ({ section, part }, { link }) => {
    const name = [...SECTIONS.keys()].find((one) => one.toLowerCase() === section?.toLowerCase());
    const text = name === undefined ? undefined : SECTIONS.get(name);
    const reference = link('/docs');
    if (text === undefined) return { sections: [...SECTIONS.keys()], reference };
    const parts = Math.ceil(text.length / MAX_CHARS);
    return {
      section: name,
      part,
      parts,
      text: text.slice((part - 1) * MAX_CHARS, part * MAX_CHARS),
      note: NOTE,
      reference,
    };
  },
});

const TOOLS: readonly Tool[] = [...MARKET_TOOLS, ...RESEARCH_TOOLS, readDocs];

/** Those that are not what the protocol presumes, or say nothing of a tool that only reads. */
const annotationsOf = ({ isReadOnly }: Tool) => ({
  ...(isReadOnly ? { readOnlyHint: true } : { destructiveHint: false }),
  openWorldHint: false,
});

/** Lengths, and bounds that go without saying, are checked, but not told: an assistant reads the list again and again. */
function withoutLengths({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.maxLength;
  delete jsonSchema.minItems;
  delete jsonSchema.maxItems;
  delete jsonSchema.propertyNames;
  if (JSON.stringify(jsonSchema.additionalProperties) === '{}') delete jsonSchema.additionalProperties;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER || jsonSchema.minimum === 1) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** The tools as JSON, made once: a server lives for one call, and the library would convert and check every schema again. */
const TOOL_LIST = JSON.stringify(
  TOOLS.map((tool) => {
    const { name, description } = tool;
    // The dialect is the one that the protocol presumes.
    const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.inputSchema, { io: 'input', override: withoutLengths });
    return { name, description, inputSchema, annotations: annotationsOf(tool) };
  }),
);
const STAND_IN = { name: 'all', inputSchema: { type: 'object' } } as const;
/** Stands in the answers of a server for `TOOL_LIST`. */
const LIST_STAND_IN = JSON.stringify([STAND_IN]);

const INSTRUCTIONS =
  'Daily data of US stocks and ETFs, screens, and backtests. Answers are short and link to pages with all details. State the ' +
  'session (`as_of`) of each figure, and pass on the notes of runs. For research only: no investment advice.';

function openServer(context: ToolContext): McpServer {
  const server = new McpServer({ name: 'market-data', version: API_VERSION }, { instructions: INSTRUCTIONS });
  for (const tool of TOOLS) {
    const { name, description, inputSchema, run } = tool;
    const annotations = annotationsOf(tool);
    server.registerTool(name, { description, inputSchema, annotations }, async (input: Record<string, unknown>) => {
      try {
        return answer(await run(input, context));
      } catch (error) {
        if (!(error instanceof OperationFailure)) throw error;
        return { ...answer(await refusal(error, input, context)), isError: true };
      }
    });
  }
  server.server.setRequestHandler('tools/list', () => ({ tools: [STAND_IN] }));
  return server;
}

function answer(value: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] };
}

/** An error for an assistant: the problem, and what to do next. */
async function refusal({ body }: OperationFailure, input: Record<string, unknown>, context: ToolContext) {
  const { key, message, detail, retry_after } = body;
  const refusal = { error: message, key, ...(detail ? { detail } : {}), ...(retry_after ? { retry_after } : {}) };
  if (key === 'error.symbol_not_found' && typeof input.symbol === 'string') {
    const similar = await similarSymbols(context, input.symbol).catch(() => []);
    return { ...refusal, did_you_mean: similar, next: 'search_symbols finds symbols by name' };
  }
  if (key === 'error.login_required' || key === 'error.plan_capability') {
    return {
      ...refusal,
      next: `An API key goes into the header Authorization: Bearer; ${context.link('/account')} has it`,
    };
  }
  return refusal;
}

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
