/** The tool that reads results, part by part. */

import { keysOf } from '../../engine/util/values.ts';
import { z } from '../http/input/fields.ts';
import { type Data, isData, partOf } from './data.ts';
import { awaitedState, defineTool, type OperationInput, type ToolContext } from './operations.ts';
import { findResult, JUDGEMENT, KINDS, shownResult } from './runs.ts';

const MAX_ROWS = 100;
/** Rows of a list inside of a part. */
const MAX_LISTED = 12;
const TEAR_SHEETS = { backtest: 'getBacktestTearSheet', portfolio: 'getPortfolioTearSheet' } as const;

const readInput = z.object({
  kind: z.enum([...keysOf(KINDS), 'impact']),
  id: z.string().max(64).describe('Of impact: of the load'),
  part: z
    .string()
    .max(200)
    .optional()
    .describe('Path, such as trades, equity, statistics, factors.0.horizons; or tear_sheet; entries of forward'),
  offset: z.number().int().min(0).default(0),
  benchmark: z.string().max(64).optional().describe('Of tear_sheet'),
});
type ReadInput = z.output<typeof readInput>;

async function tearSheet({ kind, id, benchmark }: ReadInput, { call }: ToolContext): Promise<unknown> {
  const of = kind === 'rotation' ? 'portfolio' : kind;
  if (of !== 'backtest' && of !== 'portfolio') return undefined;
  const query = { benchmark };
  const sheet: Data = await call(TEAR_SHEETS[of], { path: { [`${of}_id`]: id }, query });
  const { job_id: job } = sheet;
  if (typeof job !== 'string') return sheet;
  const state: Data = await awaitedState(
    (wait) => call('getTearSheetJob', { path: { job_id: job }, query: { wait } }),
    ({ result, error }) => result !== null || error !== null,
  );
  return state.result ?? { status: state.status };
}

/** A value without its long lists, of which only the number of rows is told. */
function outlined(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > MAX_LISTED ? { total_rows: value.length } : value.map(outlined);
  if (!isData(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, outlined(part)]));
}

/** Shows the rows of a part from `offset` on, or its members. */
function shownPart(part: unknown, offset: number): Data {
  if (!Array.isArray(part)) return { value: outlined(part) };
  return { total_rows: part.length, offset, rows: part.slice(offset, offset + MAX_ROWS) };
}

/** Rows of a list that the interface has page by page, from the page with `offset` on. */
async function shownPage(
  operationId: string,
  offset: number,
  input: OperationInput,
  { call }: ToolContext,
): Promise<Data> {
  const page = Math.floor(offset / MAX_ROWS);
  const { total, items } = await call(operationId, {
    ...input,
    query: { ...input.query, page: page + 1, size: MAX_ROWS },
  });
  return { total_rows: total, offset: page * MAX_ROWS, rows: items };
}

export const read = defineTool({
  name: 'read',
  description:
    'A result by the id of its job (until an hour after its end) or of a kept run: its summary, or one `part`.',
  inputSchema: readInput,
  outputSchema: z.looseObject({ rows: z.array(z.unknown()).optional(), value: z.unknown().optional() }),
  isReadOnly: true,
  whole: [...JUDGEMENT, 'horizons'],
  run: async (input, context) => {
    const { kind, id, part, offset } = input;
    const head = { kind, id, part };
    if (kind === 'impact')
      return { ...head, ...(await shownPage('listMyImpact', offset, { query: { load: id } }, context)) };
    if (kind === 'forward' && part === 'entries') {
      return { ...head, ...(await shownPage('listForwardEntries', offset, { path: { forward_id: id } }, context)) };
    }
    const [first = '', ...rest] = part?.split('.') ?? [];
    if (first === 'tear_sheet') {
      const sheet = await tearSheet(input, context);
      return { ...head, ...shownPart(rest.length === 0 ? sheet : partOf(sheet, rest.join('.')), offset) };
    }
    const found = await findResult(kind, id, context);
    if (!('result' in found)) return found.state;
    if (part === undefined) return shownResult(kind, id, found.result, context);
    const value = partOf(found.result, part);
    if (value === undefined) return { ...head, error: 'There is no such part', parts: Object.keys(found.result) };
    return { ...head, ...shownPart(value, offset) };
  },
});
