/** The finished backtest that pages open with: computed once after each load, and the same for everybody. */
import { found, ServiceError } from '../../engine/util/errors.ts';
import { BACKTEST_PARTS } from '../../jobs/contracts/backtest.ts';
import { OWN_COMPARISON } from '../../jobs/contracts/tear-sheet.ts';
import type { Guest } from '../access/caller.ts';
import { backtestSpecOf, flatBody, fromFlat } from '../backtests/request.ts';
import { resultSchema } from '../backtests/schemas.ts';
import { objectWith } from '../http/answer/long-json.ts';
import type { JsonStream, JsonText } from '../http/answer/reply.ts';
import { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { serviceRun } from '../runs/service-run.ts';
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

/** Who asks for its search: no reader, so that nobody's plan limits it. */
const NOBODY: Guest = { kind: 'guest', counter: 'example', plan: 'enterprise' };

interface Example {
  readonly run: DoneRun;
  readonly search: DoneRun;
}

interface Kept {
  readonly version: string;
  readonly example: Promise<Example>;
}

/** The newest example of each market that this process serves. */
const examples = new WeakMap<Services['market'], Kept>();

export async function exampleOf(call: ScreenCall, locale: Locale): Promise<JsonText | JsonStream> {
  const { run, search } = await keptExample(call);
  const result = await runResult(call.services.pool, run, BACKTEST_PARTS, presentationOf(call, locale));
  return objectWith({ neighbors: neighborsOf(search, VARIED) }, [['result', result]]);
}

function keptExample(call: ScreenCall): Promise<Example> {
  const { market } = call.services;
  const { version } = market;
  const kept = examples.get(market);
  if (kept?.version === version) return kept.example;
  const example = computeExample(call);
  examples.set(market, { version, example });
  // The next reader tries again.
  example.catch(() => examples.get(market)?.example === example && examples.delete(market));
  return example;
}

async function computeExample({ services, context }: ScreenCall): Promise<Example> {
  const { version, examples: symbols } = services.market;
  const symbol = found(symbols[0]);
  const call = { services, context, caller: NOBODY };
  const body = { symbol, ...CHOICE };
  const spec = { ...backtestSpecOf(fromFlat(flatBody.parse(body)), services.market), tearSheet: OWN_COMPARISON };
  const searched = await neighborsSpecOf(call, { ...body, vary: VARIED });
  const [run, search] = await Promise.all([
    serviceRun(services, context, version, { kind: 'backtest', spec }),
    serviceRun(services, context, version, { kind: 'optimize', spec: searched }),
  ]);
  if (run === null || search === null) throw new ServiceError('example_not_ready');
  return { run, search };
}
