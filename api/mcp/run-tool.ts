/** The tool that starts runs of every kind. */
import { Readable } from 'node:stream';
import { z } from '../http/input/fields.ts';
import { type Data, given, pick, without } from './data.ts';
import { type Judged, judgeRuns } from './judge-tool.ts';
import { defineTool, OperationFailure, type ToolContext } from './operations.ts';
import { findResult, JUDGEMENT, type KindName, shownResult, startRun } from './runs.ts';

const RUN_KINDS = [
  'backtest',
  'compare',
  'portfolio',
  'rotation',
  'optimize',
  'sweep',
  'factors',
  'outcomes',
  'forward',
  'column',
] as const;

const MAX_COMPARED = 8;
const compared = z.looseObject({
  symbol: z.string().max(64),
  strategies: z
    .array(
      z.union([
        z
          .string()
          .max(64)
          .transform((strategy) => ({ strategy, name: undefined })),
        z.looseObject({ strategy: z.string().max(64), name: z.string().max(64).optional() }),
      ]),
    )
    .min(2)
    .max(MAX_COMPARED),
});

/** The result of a run, or how far it is. */
async function resultOf(kind: KindName, id: string, context: ToolContext): Promise<Data> {
  const found = await findResult(kind, id, context);
  return 'result' in found ? shownResult(kind, id, found.result, context) : found.state;
}

/** Strategies on one instrument beside each other, and how good the best is after the choice. */
async function compare(spec: Data, context: ToolContext): Promise<Data> {
  const parsed = compared.safeParse(spec);
  if (!parsed.success) return { error: 'compare takes {symbol, strategies: [code or {strategy, params, rules}, …]}' };
  const { strategies, ...common } = parsed.data;
  const runs: Judged[] = [];
  for (const { name, ...strategy } of strategies) {
    const id = await startRun('backtest', { ...common, ...strategy, include_trades: false }, context);
    const found = await findResult('backtest', id, context);
    if (!('result' in found)) return { ...found.state, of: strategy };
    const number =
      strategies.filter((one) => one.strategy === strategy.strategy).length > 1 ? ` ${runs.length + 1}` : '';
    runs.push({ name: name ?? `${strategy.strategy}${number}`, result: found.result });
  }
  const names = ['total_pnl_pct', 'annualized_pct', 'sharpe', 'max_drawdown_pct', 'num_trades', 'exposure_pct'];
  const [{ result: first }] = runs;
  const rows = runs.map(({ name, result }) => ({
    strategy: name,
    ...(result.id === null ? {} : { id: String(result.id) }),
    ...pick(result, ...names),
  }));
  return {
    kind: 'compare',
    ...pick(first, 'symbol', 'start_date', 'end_date', 'buy_hold_pnl_pct'),
    strategies: rows,
    judgement: await judgementOf(runs, context),
    selection: runs.at(-1)?.result.selection,
  };
}

/** Null with the reason where the plan judges no choice among several: part of a judgement would mislead. */
async function judgementOf(runs: readonly Judged[], context: ToolContext): Promise<unknown> {
  try {
    return without(await judgeRuns(runs, {}, context), 'streams', 'page', 'form');
  } catch (error) {
    if (!(error instanceof OperationFailure)) throw error;
    return { given: false, because: error.body.message };
  }
}

async function writeColumn({ name, content, ...query }: Data, context: ToolContext): Promise<Data> {
  const body = Readable.from([String(content)]);
  const settings = given(query);
  const { job_id: id } = await context.call('updateColumn', {
    path: { name: String(name) },
    query: Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value)])),
    body,
    isAsync: true,
  });
  return resultOf('column', String(id), context);
}

export const run = defineTool({
  name: 'run',
  description:
    'Runs something and tells its result, judged, or where `read` gets it. `spec` by kind (docs "API/…" has all fields):\n' +
    'backtest {symbol, strategy, params, time_range|start,end, adjust, execute_on, cost:{commission_rate, slippage_bps}}; own rules: strategy ' +
    '"rules", rules:{entry, exit, stop, trail}\n' +
    'compare {symbol, strategies:[code|{strategy, params, rules}], …}: at once, and whether the best is more than the choice\n' +
    'portfolio {symbols, strategy, allocation:{max_positions, sizing, rebalance}} or allocation.targets [{symbol, weight}]\n' +
    'rotation {universe:{all:true|symbols, where}, rotation:{every, score, hold:{top}, weights:{method}, market_filter}}\n' +
    'optimize {symbol, strategy, grid:{name:[…]|{from,to,step}}, objective}\n' +
    'sweep {universe, runs:[{strategy, grid}]}\n' +
    'factors {universe, factors:[{name, value}], horizons, every}\n' +
    'outcomes {condition, for, universe, by, horizons}\n' +
    'forward {run:{kind, id}} or {strategy, symbols}: sealed, and goes on with each session\n' +
    "column {name, content: CSV symbol,date,known_at,value}: my('name') in rules\n" +
    'Each new specification or combination lowers trial_budget.',
  inputSchema: z.object({ kind: z.enum(RUN_KINDS), spec: z.record(z.string(), z.unknown()) }),
  outputSchema: z.looseObject({
    kind: z.string().optional(),
    id: z.string().optional(),
    status: z.string().optional(),
  }),
  isReadOnly: false,
  whole: [...JUDGEMENT, 'judgement', 'horizons'],
  run: async ({ kind, spec }, context) => {
    if (kind === 'compare') return compare(spec, context);
    if (kind === 'column') return writeColumn(spec, context);
    return resultOf(kind, await startRun(kind, spec, context), context);
  },
});
