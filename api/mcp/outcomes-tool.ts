/** The tool for the outcomes of a condition. */
import { z } from '../http/input/fields.ts';
import { type Data, defineTool, jobState, pick, type ToolContext } from './operations.ts';

const MAX_EXTREMES = 3;

interface Outcomes extends Data {
  readonly horizons: readonly Data[];
  readonly best: readonly Data[];
  readonly worst: readonly Data[];
}

function shownOutcomes({ horizons, best, worst, ...told }: Outcomes): object {
  return {
    ...pick(told, 'id', 'sentences', 'first', 'last', 'sessions', 'instruments', 'hits', 'days'),
    horizons: horizons.map((one) => pick(one, 'horizon', 'hits', 'mean', 'median', 'positive_share', 'excess', 'by')),
    best: best.slice(0, MAX_EXTREMES),
    worst: worst.slice(0, MAX_EXTREMES),
  };
}

/** A kept result, or that of a job, or how far the job is. */
export async function outcomesState(id: string, isJob: boolean, context: ToolContext): Promise<object> {
  if (isJob) return jobState('outcomes', 'getOutcomesJob', id, context, shownOutcomes);
  return shownOutcomes(await context.call('getOutcomes', { path: { outcomes_id: id } }));
}

export const outcomes = defineTool({
  name: 'outcomes',
  description:
    'What followed a condition: returns (fractions) beside the others on the same days, in sentences to quote. Needs an account.',
  inputSchema: z.object({
    condition: z.string().max(2_000).describe('Such as close > highest(252)'),
    for: z.array(z.string().max(64)).optional().describe('Whose hits count'),
    symbols: z.array(z.string().max(64)).max(500).optional().describe('All members; default: stocks'),
    by: z.string().max(2_000).optional().describe('A condition: tells hits apart'),
    horizons: z.array(z.int()).optional().describe('Sessions; default 1, 5, 20'),
    time_range: z.string().max(8).default('5Y'),
    start: z.string().max(10).optional(),
    end: z.string().max(10).optional(),
  }),
  isReadOnly: false,
  run: async ({ symbols, ...asked }, context) => {
    const body = { ...asked, ...(symbols === undefined ? {} : { universe: { symbols } }) };
    const answered = await context.call('runOutcomes', { body });
    if (typeof answered.job_id === 'string') return outcomesState(answered.job_id, true, context);
    const members = symbols === undefined ? {} : { universe: 'symbols', symbols: symbols.join(' ') };
    const page = context.link('/outcomes', { ...asked, for: asked.for?.join(' '), ...members });
    return { ...shownOutcomes(answered), page };
  },
});
