/** The tool for columns: listed, one told of, and written. */
import { Readable } from 'node:stream';
import { z } from '../http/input/fields.ts';
import { type Data, defineTool, pick, type ToolContext, WAIT_S } from './operations.ts';

const MAX_COLUMNS = 40;
const MAX_CONTENT = 500_000;

export const columns = defineTool({
  name: 'columns',
  description:
    "Columns that rules read as my('name'): a list; with a name, that one; with content too, writes it. Needs an account.",
  inputSchema: z.object({
    name: z.string().max(64).optional(),
    content: z.string().max(MAX_CONTENT).optional().describe('CSV: symbol,date,known_at,value'),
  }),
  isReadOnly: false,
  run: async ({ name, content }, context) => {
    if (name !== undefined && content !== undefined) return written(name, content, context);
    const page = context.link('/columns');
    if (name !== undefined) return { ...(await context.call('getColumn', { path: { name } })), page };
    const { total, items } = await context.call('listColumns', {});
    const shown = items
      .slice(0, MAX_COLUMNS)
      .map((column: Data) => pick(column, 'name', 'owner', 'kind', 'rows', 'symbols', 'first_day', 'last_day'));
    return { total, items: shown, page };
  },
});

async function written(name: string, content: string, { call, link }: ToolContext): Promise<object> {
  const page = link('/columns');
  const answered = await call('updateColumn', { path: { name }, body: Readable.from([content]) });
  if (typeof answered.job_id !== 'string') return { ...answered, page };
  const state = await call('getColumnJob', { path: { job_id: answered.job_id }, query: { wait: WAIT_S } });
  if (state.error !== null) return { status: state.status, error: state.error };
  return state.result === null
    ? { status: state.status, next: 'Ask again with the name alone' }
    : { ...state.result, page };
}
