/** Handlers of the routes of portfolios. */
import type { PortfolioPart } from '../../jobs/contracts/portfolio.ts';
import { assertPlanHas, assertWithin } from '../access/plans.ts';
import type { Accepted, JsonStream, JsonText } from '../http/answer/reply.ts';
import { savedStrategyOf } from '../rules/resolve.ts';
import { answerRun } from '../runs/keep.ts';
import type { ScreenCall } from '../screener/services.ts';
import { type PortfolioBody, portfolioSpecOf } from './request.ts';
import { assertBars, universeOf } from './universe.ts';

export interface PortfolioInclude {
  readonly trades: boolean;
  readonly equity: boolean;
}

/** Long parts of an answer; what each instrument has contributed is always there. */
export function portfolioParts({ trades, equity }: PortfolioInclude): PortfolioPart[] {
  const parts: PortfolioPart[] = [];
  if (trades) parts.push('trades');
  if (equity) parts.push('equity', 'positions');
  return [...parts, 'contributions'];
}

/** Runs a portfolio for the caller: its result, or 202 with where to ask for it. */
export async function answerPortfolio(
  call: ScreenCall,
  body: PortfolioBody,
): Promise<JsonText | JsonStream | Accepted> {
  const { services, caller } = call;
  assertPlanHas(caller, 'portfolio_symbols_max');
  const own = await savedStrategyOf(call, body.rules);
  const spec = portfolioSpecOf(body, services.market, own, await universeOf(call, body));
  assertWithin(caller, 'portfolio_symbols_max', spec.instruments.length);
  await assertBars(services.pool, spec.instruments, spec);
  const parts = portfolioParts({ trades: body.include_trades, equity: body.include_equity });
  return answerRun(call, { kind: 'portfolio', spec, save: body.save, parts });
}
