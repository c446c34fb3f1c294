/** Tools for strategies and runs. A run that takes longer than a call waits continues, and `get_run` returns its result. */
import { TIME_RANGES } from '../../engine/market/time-range.ts';
import { STRATEGIES } from '../../engine/strategies/catalogue.ts';
import { z } from '../http/input/fields.ts';
import { columns } from './columns-tool.ts';
import { factorStudy, studyState } from './factors-tool.ts';
import { symbolInput } from './market-tools.ts';
import { type Data, defineTool, jobState, pick, type Tool, type ToolContext } from './operations.ts';
import { outcomes, outcomesState } from './outcomes-tool.ts';
import { tearSheet } from './tear-sheet-tool.ts';

const KINDS = ['backtest', 'portfolio', 'optimize'] as const;
type Kind = (typeof KINDS)[number];

/** The operation that returns the state of a job. */
const STATES: Readonly<Record<Kind, string>> = {
  backtest: 'getBacktestJob',
  portfolio: 'getPortfolioJob',
  optimize: 'getOptimizationJob',
};
/** The strategy whose rules the caller writes. */
const RULES = 'rules';
const MAX_TRADES = 5;
const MAX_REBALANCES = 2;
const MAX_BEST = 5;
const MAX_NOTES = 4;
/** The sentence on what is shown comes first. */
const MAX_SENTENCES = 3;
const UUID = /^[0-9a-f]{8}-/;

/** An object whose values the operations check. */
const loose = z.record(z.string(), z.unknown());
/** One of many words, which a refusal tells, and the list of tools only describes. */
const oneOf = (words: readonly string[], description: string) =>
  z
    .string()
    .refine((word) => words.includes(word), `Allowed: ${words.join(', ')}`)
    .describe(description);

const RUN_INPUT = {
  strategy: oneOf(
    [...STRATEGIES.map(({ code }) => code), RULES],
    'Such as sma_cross (list_strategies has all), or rules',
  ),
  params: loose.optional(),
  time_range: oneOf(TIME_RANGES, 'Such as 3M, 5Y, YTD, MAX; default 1Y').optional(),
  start: z.string().max(10).optional().describe('YYYY-MM-DD, overrides time_range'),
  end: z.string().max(10).optional(),
  adjust: z.enum(['split', 'qfq', 'total', 'none']).optional(),
  execute_on: z.enum(['close', 'next_open']).optional(),
  rules: z
    .record(z.string(), z.string().max(2_000))
    .optional()
    .describe('For strategy rules: entry, exit, trail, stop; see read_docs'),
  cost: loose.optional().describe('commission_rate (a fraction), slippage_bps'),
};

const FIGURES = [
  'id',
  'symbol',
  'symbols',
  'strategy',
  'params',
  'start_date',
  'end_date',
  'num_trades',
  'win_rate',
  'total_pnl_pct',
  'annualized_pct',
  'buy_hold_pnl_pct',
  'excess_return_pct',
  'max_drawdown_pct',
  'sharpe',
  'profit_factor',
  'exposure_pct',
  'final_equity',
] as const;

interface Listed extends Data {
  readonly notes?: readonly { readonly message: string }[];
  readonly trades?: readonly Data[];
  readonly rebalances?: readonly Data[];
  readonly statistics?: { readonly sentences?: readonly string[] };
}

function shownRun(result: Listed, { link }: ToolContext): object {
  const { id, notes = [], trades = [], rebalances = [], statistics, symbol, strategy, time_range, params } = result;
  const shown = trades
    .slice(-MAX_TRADES)
    .map((trade) => pick(trade, 'symbol', 'entry_date', 'exit_date', 'pnl_pct', 'exit_reason'));
  const page =
    typeof symbol === 'string'
      ? link('/backtest', { symbol, strategy, time_range, ...plain(params), run: 1 })
      : link('/portfolio', { id: id ?? undefined });
  return {
    ...pick(result, ...FIGURES),
    ...(result.position_summary === undefined ? {} : { positions: result.position_summary }),
    ...(trades.length > 0 ? { last_trades: shown } : {}),
    ...(rebalances.length > 0 ? { last_rebalances: rebalances.slice(-MAX_REBALANCES) } : {}),
    notes: notes.slice(0, MAX_NOTES).map(({ message }) => message),
    ...(statistics?.sentences ? { statistics: statistics.sentences.slice(0, MAX_SENTENCES) } : {}),
    page,
  };
}

function plain(params: unknown): object {
  return typeof params === 'object' && params !== null ? params : {};
}

function shownSearch(result: Listed & { readonly best?: readonly { metrics: Data; params: Data }[] }): object {
  const { best = [], notes = [], statistics } = result;
  return {
    ...pick(result, 'symbol', 'strategy', 'objective', 'start_date', 'end_date', 'combinations'),
    best: best.slice(0, MAX_BEST).map(({ params, metrics }) => ({
      params,
      ...pick(metrics, 'sharpe', 'total_pnl_pct', 'max_drawdown_pct', 'num_trades'),
    })),
    ...(statistics?.sentences ? { statistics: statistics.sentences.slice(0, MAX_SENTENCES) } : {}),
    ...(result.selection === undefined ? {} : { selection: result.selection }),
    notes: notes.slice(0, MAX_NOTES).map(({ message }) => message),
  };
}

function given(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** The answer to a run: its result, or the address of the pending result. */
async function awaited(kind: Kind, answered: Data, context: ToolContext): Promise<object> {
  if (typeof answered.job_id !== 'string') return shownRun(answered, context);
  return stateOf(kind, answered.job_id, context);
}

async function stateOf(kind: Kind, jobId: string, context: ToolContext): Promise<object> {
  return jobState(kind, STATES[kind], jobId, context, (result: Listed) =>
    kind === 'optimize'
      ? { ...shownSearch(result), page: context.link('/optimize', { job: jobId }) }
      : shownRun(result, context),
  );
}

const listStrategies = defineTool({
  name: 'list_strategies',
  description: 'Strategies; with a code, its rules, and its parameters with ranges and defaults.',
  inputSchema: z.object({ code: z.string().max(64).optional() }),
  isReadOnly: true,
  run: async ({ code }, { call }) => {
    const { strategies, time_ranges } = await call('listStrategies', {});
    if (code === undefined) {
      return { strategies: strategies.map((one: Data) => pick(one, 'code', 'description')), time_ranges };
    }
    const one = strategies.find((strategy: Data) => strategy.code === code);
    if (!one) return { error: `no strategy "${code}"`, allowed: strategies.map((strategy: Data) => strategy.code) };
    const parameters = Object.entries<Data>(one.params_schema.properties).map(([name, schema]) => [
      name,
      pick(schema, 'title', 'type', 'enum', 'minimum', 'maximum', 'default'),
    ]);
    return { ...pick(one, 'code', 'description', 'rules'), parameters: Object.fromEntries(parameters) };
  },
});

const backtest = defineTool({
  name: 'backtest',
  description:
    'Simulates a strategy on one instrument: return beside holding, drawdown, Sharpe ratio, last trades, notes on reliability.',
  inputSchema: z.object({ symbol: symbolInput, ...RUN_INPUT }),
  isReadOnly: false,
  run: async (input, context) => {
    const body = { ...given(input), include_klines: false, include_equity: false };
    return awaited('backtest', await context.call('runBacktest', { body }), context);
  },
});

const optimize = defineTool({
  name: 'optimize',
  description:
    'Searches a grid of parameters on one instrument: the best five, and whether they show more than chance. Needs a plan that has it.',
  inputSchema: z.object({
    symbol: symbolInput,
    ...RUN_INPUT,
    grid: loose.describe('Parameter → a list of values, or {from, to, step}'),
    objective: z.string().max(64).optional().describe('Default sharpe'),
  }),
  isReadOnly: false,
  run: async (input, context) =>
    awaited('optimize', await context.call('runOptimization', { body: given(input) }), context),
});

const portfolio = defineTool({
  name: 'portfolio',
  description: 'Runs one strategy on several instruments that share one cash balance. Needs an account.',
  inputSchema: z.object({
    symbols: z.array(z.string().max(64)).min(1).max(100),
    ...RUN_INPUT,
    allocation: z
      .object({
        max_positions: z.number().int().optional(),
        sizing: z.enum(['equal', 'inverse_volatility']).optional(),
        rebalance: z.string().max(16).optional().describe('never, week, month, quarter'),
      })
      .optional(),
  }),
  isReadOnly: false,
  run: async (input, context) =>
    awaited('portfolio', await context.call('runPortfolio', { body: given(input) }), context),
});

const { time_range, start, end, cost } = RUN_INPUT;

const rotation = defineTool({
  name: 'rotation',
  description:
    'Holds the best of a universe by a score, rebalanced on a schedule: figures, last rebalances. Needs an account.',
  inputSchema: z.object({
    symbols: z.array(z.string().max(64)).min(1).max(500).optional().describe('Default: every instrument'),
    where: z.string().max(1_000).optional().describe('A condition: who is ranked'),
    score: z.string().max(1_000).describe('Such as rank(roc(126)) + rank(-volatility(63)); see read_docs'),
    every: z.enum(['week', 'month', 'quarter']).optional().describe('Default month'),
    top: z.number().int().min(1).max(500).optional().describe('Default 10'),
    weights: z.string().max(64).optional().describe('equal, min_variance, risk_parity, hrp, …'),
    market_filter: z.string().max(1_000).optional().describe("Such as of('SPY', close > sma(200))"),
    cash: loose.optional().describe('{rate: % a year, or a column}'),
    time_range,
    start,
    end,
    cost,
  }),
  isReadOnly: false,
  run: async ({ symbols, where, score, every = 'month', top = 10, weights, market_filter, ...range }, context) => {
    const universe = given({ ...(symbols === undefined ? { all: true } : { symbols }), where });
    const method = weights === undefined ? undefined : { method: weights };
    const body = given({
      ...range,
      universe,
      rotation: given({ every, score, market_filter, hold: { top }, weights: method }),
      include_equity: false,
    });
    return awaited('portfolio', await context.call('runPortfolio', { body }), context);
  },
});

const getRun = defineTool({
  name: 'get_run',
  description: 'A run by the id of its job, until an hour after its end, or one that is kept.',
  inputSchema: z.object({ kind: z.enum([...KINDS, 'factors', 'outcomes']), id: z.string().max(64) }),
  isReadOnly: true,
  run: async ({ kind, id }, context) => {
    if (kind === 'factors') return studyState(id, context);
    if (kind === 'outcomes') return outcomesState(id, UUID.test(id), context);
    if (UUID.test(id) || kind === 'optimize') return stateOf(kind, id, context);
    const kept =
      kind === 'backtest'
        ? await context.call('getBacktest', { path: { backtest_id: id } })
        : await context.call('getPortfolio', { path: { portfolio_id: id } });
    return shownRun(kept, context);
  },
});

export const RESEARCH_TOOLS: readonly Tool[] = [
  listStrategies,
  backtest,
  optimize,
  portfolio,
  rotation,
  factorStudy,
  outcomes,
  getRun,
  tearSheet,
  columns,
];
