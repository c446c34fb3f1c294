/** The tool for factor studies, and for published claims. */
import { EVERY } from '../../engine/factors/sessions.ts';
import { z } from '../http/input/fields.ts';
import { awaitedState, type Data, defineTool, pick, type ToolContext } from './operations.ts';

const MAX_FACTORS = 10;
const MAX_NOTES = 4;

interface Horizon {
  readonly horizon: number | 'step';
  readonly ic: Data;
  readonly quantiles: readonly Data[];
  readonly spread: Data;
}

interface Study extends Data {
  readonly factors: readonly {
    readonly name: string;
    readonly coverage: Data;
    readonly turnover: readonly (number | null)[];
    readonly horizons: readonly Horizon[];
  }[];
  readonly notes: readonly { readonly message: string }[];
}

function shownStudy({ factors, notes, ...study }: Study): object {
  return {
    ...pick(study, 'first', 'last', 'sessions', 'instruments', 'ended'),
    factors: factors.slice(0, MAX_FACTORS).map(({ name, coverage, turnover, horizons }) => ({
      name,
      names: coverage.mean_names,
      top_turnover: turnover.at(-1),
      horizons: horizons.map(({ horizon, ic, quantiles, spread }) => ({
        horizon,
        ic: pick(ic, 'mean', 't_overlap', 'positive_share'),
        quantiles: quantiles.map(({ mean }) => mean),
        spread: pick(spread, 'mean', 't_overlap'),
      })),
    })),
    ...pick(study, 'selection'),
    notes: notes.slice(0, MAX_NOTES).map(({ message }) => message),
  };
}

/** The result of a study, or how far it is. */
export async function studyState(id: string, { call, link }: ToolContext): Promise<object> {
  const path = { study_id: id };
  const { status, error, progress_pct } = await awaitedState(
    (wait) => call('getFactorStudy', { path, query: { wait } }),
    ({ status, error }) => status === 'done' || error !== null,
  );
  if (status === 'done')
    return { id, ...shownStudy(await call('getFactorStudyResult', { path })), all: link(`/v1/factors/${id}/result`) };
  const shown = { kind: 'factors', id, status, progress_pct };
  return error === null ? { ...shown, next: `Ask get_run with kind factors and id ${id}` } : { ...shown, error };
}

interface Claims extends Data {
  readonly items: readonly {
    readonly code: string;
    readonly published: Data;
    readonly newest: { readonly rows: readonly Data[]; readonly words: string | null } | null;
  }[];
}

/** A line each: in percent a month what was published, and what this market gives. */
async function publishedClaims({ call, link }: ToolContext): Promise<object> {
  const { items, universe, overall }: Claims = await call('listClaims', {});
  const columns = ['code', 'published_pct', 'ours_pct', 'interval_90_pct', 'words'];
  const claims = items.flatMap(({ code, published, newest }) => {
    const [first] = newest?.rows ?? [];
    return first ? [[code, published.monthly_pct, first.mean_pct, first.interval_pct, newest?.words]] : [];
  });
  return { universe, overall, columns, claims, page: link('/claims') };
}

export const factorStudy = defineTool({
  name: 'factors',
  description:
    'Whether values order the returns that follow: ranks (ic), quantiles, spreads, choice. Needs such a plan. Without factors: 50 published ones.',
  inputSchema: z.object({
    factors: z
      .record(z.string().max(64), z.string().max(2_000))
      .optional()
      .describe('Name → value, such as lag(roc(231), 21); see read_docs'),
    symbols: z.array(z.string().max(64)).min(2).max(500).optional().describe('Default: every instrument'),
    where: z.string().max(1_000).optional(),
    horizons: z.array(z.number().int().min(1).max(252)).max(5).optional().describe('Sessions; default 21'),
    every: z.enum(EVERY).optional().describe('Default month'),
    time_range: z.string().max(8).optional().describe('Such as 5Y'),
    start: z.string().max(10).optional(),
    end: z.string().max(10).optional(),
  }),
  isReadOnly: false,
  run: async ({ factors, symbols, where, horizons = [21], ...range }, context) => {
    if (factors === undefined) return publishedClaims(context);
    const body = {
      ...range,
      horizons,
      universe: { ...(symbols === undefined ? { all: true } : { symbols }), ...(where === undefined ? {} : { where }) },
      factors: Object.entries(factors).map(([name, value]) => ({ name, value })),
    };
    const { job_id: id } = await context.call('runFactorStudy', { body });
    return studyState(id, context);
  },
});
