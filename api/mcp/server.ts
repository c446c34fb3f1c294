/** The MCP server of one request. */
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { API_VERSION } from '../meta/version.ts';
import { readDocs } from './docs-tool.ts';
import { MARKET_TOOLS, similarSymbols } from './market-tools.ts';
import { OperationFailure } from './operations.ts';
import { RESEARCH_TOOLS } from './research-tools.ts';
import type { Tool, ToolContext } from './tool.ts';

const TOOLS: readonly Tool[] = [...MARKET_TOOLS, ...RESEARCH_TOOLS, readDocs];

const INSTRUCTIONS =
  'Daily data of US stocks and ETFs, screens, and backtests. Answers are short and link to pages with everything. Name the ' +
  'session (`as_of`) of a figure, and pass on the notes of runs. For research only: no investment advice.';

export function openServer(context: ToolContext): McpServer {
  const server = new McpServer({ name: 'market-data', version: API_VERSION }, { instructions: INSTRUCTIONS });
  for (const { name, description, inputSchema, isReadOnly, run } of TOOLS) {
    const annotations = { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false };
    server.registerTool(name, { description, inputSchema, annotations }, async (input: Record<string, unknown>) => {
      try {
        return answer(await run(input, context));
      } catch (error) {
        if (!(error instanceof OperationFailure)) throw error;
        return { ...answer(await refusal(error, input, context)), isError: true };
      }
    });
  }
  return server;
}

function answer(value: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] };
}

/** Returns an error for an assistant: the problem, and the next step that would work. */
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
