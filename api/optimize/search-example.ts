/** The finished optimization that its page opens with: the strategy of the example of backtests, over both of its parameters. */
import { found } from '../../engine/util/errors.ts';
import { JsonText } from '../http/answer/reply.ts';
import { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { exampleRun, MarketExample } from '../runs/market-example.ts';
import type { DoneRun } from '../runs/state.ts';
import type { ScreenCall, Services } from '../screener/services.ts';
import { optimizeBody, searchSpecOf } from './request.ts';
import { optimizeResultSchema } from './schemas.ts';
import { searchResult } from './view.ts';

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

const CHOICE: Omit<Request, 'symbol'> = {
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

const EXAMPLE = new MarketExample<Services, { readonly request: Request; readonly run: DoneRun }>(async (call) => {
  const request = { symbol: found(call.services.market.examples[0]), ...CHOICE };
  const spec = await searchSpecOf(call, optimizeBody.parse(request));
  return { request, run: await exampleRun(call, 'search', { kind: 'optimize', spec }) };
});

export async function searchExample(call: ScreenCall, locale: Locale): Promise<JsonText> {
  const { request, run } = await EXAMPLE.read(call);
  return new JsonText(JSON.stringify({ request, result: await searchResult(call, run, locale) }));
}
