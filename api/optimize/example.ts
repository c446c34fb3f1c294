/** The finished backtest that pages open with: computed once after each load, and the same for everybody. */
import { found } from '../../engine/util/errors.ts';
import { BACKTEST_PARTS } from '../../jobs/contracts/backtest.ts';
import { OWN_COMPARISON } from '../../jobs/contracts/tear-sheet.ts';
import { backtestSpecOf, flatBody, fromFlat } from '../backtests/request.ts';
import { resultSchema } from '../backtests/schemas.ts';
import { objectWith } from '../http/answer/long-json.ts';
import type { JsonStream, JsonText } from '../http/answer/reply.ts';
import { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { exampleRun, MarketExample } from '../runs/market-example.ts';
import type { DoneRun } from '../runs/state.ts';
import { presentationOf, runResult } from '../runs/view.ts';
import type { ScreenCall, Services } from '../screener/services.ts';
import { neighborsOf, neighborsSchema, neighborsSpecOf } from './neighbors.ts';

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
  const result = await runResult(call.services.pool, run, BACKTEST_PARTS, presentationOf(call, locale));
  return objectWith({ neighbors: neighborsOf(search, VARIED) }, [['result', result]]);
}
