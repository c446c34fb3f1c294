/** The finished backtest and the finished search that pages open with: computed once after each load, and the same for everybody. */
import { found } from '../../engine/util/errors.ts';
import { BACKTEST_PARTS } from '../../jobs/contracts/backtest.ts';
import { OWN_COMPARISON } from '../../jobs/contracts/tear-sheet.ts';
import { backtestSpecOf, flatBody, fromFlat } from '../backtests/request.ts';
import { resultSchema } from '../backtests/schemas.ts';
import { objectWith } from '../http/answer/long-json.ts';
import { type JsonStream, JsonText } from '../http/answer/reply.ts';
import { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { exampleRun, MarketExample } from '../runs/service-run.ts';
import type { DoneRun } from '../runs/state.ts';
import { presentationOf, runResult } from '../runs/view.ts';
import type { ScreenCall, Services } from '../screener/services.ts';
import { neighborsOf, neighborsSchema, neighborsSpecOf } from './neighbors.ts';
import { optimizeBody, searchSpecOf } from './request.ts';
import { optimizeResultSchema } from './schemas.ts';
import { searchResult } from './view.ts';

export const exampleSchema = z
  .object({ neighbors: neighborsSchema, result: resultSchema })
  .meta({ id: 'BacktestExample' });

const CHOICE = {
  strategy: 'donchian',
  time_range: '3Y',
  params: { entry_period: 40, exit_period: 20 },
  adjust: 'total',
  execute_on: 'next_open',
  cost: { commission_rate: 0, min_commission: 0, slippage_bps: 5 },
} as const;
const VARIED = 'entry_period';

const EXAMPLE = new MarketExample<Services, { readonly run: DoneRun; readonly search: DoneRun }>(async (call) => {
  const { market } = call.services;
  const body = { symbol: found(market.examples[0]), ...CHOICE };
  const spec = { ...backtestSpecOf(fromFlat(flatBody.parse(body)), market), tearSheet: OWN_COMPARISON };
  const searched = await neighborsSpecOf(call, { ...body, vary: VARIED });
  const [run, search] = await Promise.all([
    exampleRun(call, 'backtest', { kind: 'backtest', spec }),
    exampleRun(call, 'neighbors', { kind: 'optimize', spec: searched }),
  ]);
  return { run, search };
});

export async function exampleOf(call: ScreenCall, locale: Locale): Promise<JsonText | JsonStream> {
  const { run, search } = await EXAMPLE.read(call);
  const result = runResult(call.services.pool, run, BACKTEST_PARTS, presentationOf(call, locale));
  return objectWith({ neighbors: neighborsOf(search, VARIED) }, [['result', result]]);
}

const steps = z.object({ from: z.number(), to: z.number(), step: z.number() });
const requestSchema = z.object({
  symbol: z.string(),
  strategy: z.string(),
  time_range: z.string(),
  grid: z.record(z.string(), steps),
  heatmap: z.tuple([z.string(), z.string()]),
  walk_forward: z.object({ train_bars: z.int(), test_bars: z.int() }),
  objective: z.string(),
  adjust: z.string(),
  execute_on: z.string(),
  cost: z.object({ slippage_bps: z.number() }),
});
type Request = z.output<typeof requestSchema>;

export const searchExampleSchema = z
  .object({
    request: requestSchema.meta({ description: 'The body of `POST /v1/optimize` that repeats it' }),
    result: optimizeResultSchema,
  })
  .meta({ id: 'OptimizationExample' });

const SEARCH: Omit<Request, 'symbol'> = {
  strategy: 'donchian',
  time_range: '5Y',
  grid: { entry_period: { from: 10, to: 80, step: 10 }, exit_period: { from: 5, to: 40, step: 5 } },
  heatmap: ['entry_period', 'exit_period'],
  walk_forward: { train_bars: 252, test_bars: 63 },
  objective: 'sharpe',
  adjust: 'total',
  execute_on: 'next_open',
  cost: { slippage_bps: 5 },
};

const SEARCH_EXAMPLE = new MarketExample<Services, { readonly request: Request; readonly run: DoneRun }>(
  async (call) => {
    const request = { symbol: found(call.services.market.examples[0]), ...SEARCH };
    const spec = await searchSpecOf(call, optimizeBody.parse(request));
    return { request, run: await exampleRun(call, 'search', { kind: 'optimize', spec }) };
  },
);

export async function searchExample(call: ScreenCall, locale: Locale): Promise<JsonText> {
  const { request, run } = await SEARCH_EXAMPLE.read(call);
  return new JsonText(JSON.stringify({ request, result: searchResult(call, run, locale) }));
}
