/** The MCP server of one request. */
import { readFileSync } from 'node:fs';
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from '../http/input/fields.ts';
import { API_VERSION } from '../meta/version.ts';
import { MARKET_TOOLS, similarSymbols } from './market-tools.ts';
import { OperationFailure } from './operations.ts';
import { RESEARCH_TOOLS } from './research-tools.ts';
import { defineTool, type Tool, type ToolContext } from './tool.ts';

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
  description: 'Documentation of the HTTP interface by section; without a section, the list of sections.',
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

const annotationsOf = ({ isReadOnly }: Tool) => ({
  readOnlyHint: isReadOnly,
  destructiveHint: false,
  openWorldHint: false,
});

/** The tools as JSON, made once: a server lives for one call, and the library would convert and check every schema again. */
export const TOOL_LIST = JSON.stringify(
  TOOLS.map((tool) => {
    const { name, description } = tool;
    // The dialect is the one that the protocol presumes.
    const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.inputSchema, { io: 'input' });
    return { name, description, inputSchema, annotations: annotationsOf(tool) };
  }),
);
const STAND_IN = { name: 'all', inputSchema: { type: 'object' } } as const;
/** Stands in the answers of a server for `TOOL_LIST`. */
export const LIST_STAND_IN = JSON.stringify([STAND_IN]);

const INSTRUCTIONS =
  'Daily data of US stocks and ETFs, screens, and backtests. Answers are short and link to pages with all details. State the ' +
  'session (`as_of`) of each figure, and pass on the notes of runs. For research only: no investment advice.';

export function openServer(context: ToolContext): McpServer {
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
