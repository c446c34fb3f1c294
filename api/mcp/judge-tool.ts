/** The tool that judges returns: those of kept runs, or of others. */
import { Readable } from 'node:stream';
import { z } from '../http/input/fields.ts';
import { type Data, isData } from './data.ts';
import { defineTool, type ToolContext } from './operations.ts';
import { findResult, JUDGEMENT, shownResult } from './runs.ts';

/** A run with its equity, under the name of its stream. */
export interface Judged {
  readonly name: string;
  readonly result: Data;
}

interface Point {
  readonly ts: string;
  readonly equity: number;
  readonly buy_hold?: number;
}

/** Values of `judge` that its caller may give. */
interface Asked {
  readonly benchmark?: string;
  readonly risk_free?: string;
  readonly trials?: number;
}

const HELD = 'buy_hold';

const pointsOf = ({ equity }: Data): readonly Point[] => (Array.isArray(equity) ? equity : []);

/** Equity curves as CSV, a column each; the first also has what holding its instrument gave, if the runs are of one. */
function curvesOf(runs: readonly Judged[]): { readonly csv: string; readonly isHeld: boolean } {
  const isHeld = new Set(runs.map(({ result }) => result.symbol)).size === 1 && runs[0].result.symbol !== undefined;
  const columns = [
    ...runs.map(({ name, result }) => ({ name, at: new Map(pointsOf(result).map(({ ts, equity }) => [ts, equity])) })),
    ...(isHeld
      ? [{ name: HELD, at: new Map(pointsOf(runs[0].result).map(({ ts, buy_hold }) => [ts, buy_hold])) }]
      : []),
  ];
  const days = [...new Set(columns.flatMap(({ at }) => [...at.keys()]))].sort();
  const lines = days.map((day) => [day, ...columns.map(({ at }) => at.get(day) ?? '')].join());
  const head = ['date', ...columns.map(({ name }) => `"${name.replaceAll('"', "'")}"`)].join();
  return { csv: [head, ...lines].join('\n'), isHeld };
}

async function judge(csv: string, query: Data, context: ToolContext): Promise<Data> {
  const given = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  const { job_id: id } = await context.call('runJudgement', {
    query: given,
    body: Readable.from([csv]),
    isAsync: true,
  });
  const found = await findResult('judge', String(id), context);
  return 'result' in found ? shownResult('judge', String(id), found.result, context) : found.state;
}

/** The choice among runs, of which everything that the account has tried within a year is a part. */
export async function judgeRuns(runs: readonly Judged[], asked: Asked, context: ToolContext): Promise<Data> {
  const { csv, isHeld } = curvesOf(runs);
  const tried = Math.max(await context.countRuns(), runs.length);
  const { benchmark = isHeld ? HELD : undefined, risk_free, trials = tried } = asked;
  return judge(csv, { form: 'equity', benchmark, risk_free, trials: Math.max(trials, tried) }, context);
}

/** Kept runs or jobs, with their curves. */
async function runsOf(ids: readonly z.output<typeof runId>[], context: ToolContext): Promise<readonly Judged[] | Data> {
  const runs: Judged[] = [];
  for (const { kind, id } of ids) {
    const found = await findResult(kind, id, context);
    if (!('result' in found)) return found.state;
    const { strategy } = found.result;
    runs.push({ name: `${kind} ${id} ${typeof strategy === 'string' ? strategy : ''}`.trim(), result: found.result });
  }
  return runs;
}

const runId = z.object({ kind: z.enum(['backtest', 'portfolio']), id: z.string().max(64) });

export const judgeTool = defineTool({
  name: 'judge',
  description:
    'Whether returns show more than chance and choice, whole: skill, PBO, SPA, StepM, haircuts (Bonferroni, …), deflated Sharpe. Of `runs` (the ' +
    "account's earlier tries count as trials) or of `csv` (date and a column each).",
  inputSchema: z.object({
    runs: z.array(runId).min(1).max(20).optional(),
    csv: z.string().max(60_000).optional(),
    form: z.enum(['returns', 'equity', 'trades']).default('returns'),
    benchmark: z.string().max(64).optional().describe('A column or a symbol'),
    risk_free: z.string().max(64).optional(),
    trials: z.number().int().min(1).optional(),
  }),
  outputSchema: z.looseObject({ sentences: z.array(z.string()).optional(), status: z.string().optional() }),
  isReadOnly: false,
  whole: JUDGEMENT,
  run: async ({ runs, csv, form, ...asked }, context) => {
    if (csv !== undefined) return judge(csv, { form, ...asked }, context);
    if (runs === undefined) return { error: 'Give runs or csv' };
    const found = await runsOf(runs, context);
    return isData(found) ? found : judgeRuns(found, asked, context);
  },
});
