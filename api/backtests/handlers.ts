/** Handlers of the routes of backtests. */
import type { ResultPart } from '../../db/runs/run-results.ts';
import { BACKTEST_PARTS } from '../../jobs/contracts/backtest.ts';
import type { Accepted, JsonStream, JsonText } from '../http/answer/reply.ts';
import { savedStrategyOf } from '../rules/resolve.ts';
import { answerRun } from '../runs/keep.ts';
import type { RunCall } from '../runs/services.ts';
import { type BacktestRequest, backtestSpecOf, type Include } from './request.ts';

export function partsOf(include: Include): readonly ResultPart[] {
  return BACKTEST_PARTS.filter((part) => include[part]);
}

/** Runs a backtest: its result, or 202 with the location of the job. */
export async function answerBacktest(
  call: RunCall,
  request: BacktestRequest,
): Promise<JsonText | JsonStream | Accepted> {
  const own = await savedStrategyOf(call, request.rules);
  const spec = backtestSpecOf(request, call.services.market, own);
  const answer = { kind: 'backtest', spec, save: request.save, parts: partsOf(request.include) } as const;
  return answerRun(call, answer);
}
