/** What the routes of portfolios do. */
import { ServiceError } from '../../engine/errors.ts';
import type { PortfolioPart } from '../../jobs/portfolio/contract.ts';
import type { Caller } from '../access/caller.ts';
import { answerRun, type BacktestCall } from '../backtests/handlers.ts';
import type { Accepted, JsonText } from '../http/answer/reply.ts';
import { PLANS, type PlanQuotas } from '../limits/plans.ts';
import { savedStrategyOf } from '../rules/resolve.ts';
import { type PortfolioBody, portfolioSpecOf } from './request.ts';

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

/** Throws where the caller's plan has none of something. */
function assertPlanHas({ plan }: Caller, quota: keyof PlanQuotas): void {
  if (PLANS[plan].quotas[quota] === 0) throw new ServiceError('plan_capability', { plan, category: quota });
}

/** Throws where a request asks for more than the caller's plan has. */
function assertWithin({ plan }: Caller, quota: keyof PlanQuotas, count: number): void {
  const max = PLANS[plan].quotas[quota];
  if (max !== null && count > max) throw new ServiceError('quota_exceeded', { plan, quota, max, count });
}

/** Runs a portfolio for the caller: its result, or 202 with where to ask for it. */
export async function answerPortfolio(call: BacktestCall, body: PortfolioBody): Promise<JsonText | Accepted> {
  const { services, context, caller } = call;
  assertPlanHas(caller, 'portfolio_symbols_max');
  const own = await savedStrategyOf(call, body.rules);
  const order = portfolioSpecOf(body, services.market, own);
  assertWithin(caller, 'portfolio_symbols_max', order.instruments.length);
  const parts = portfolioParts({ trades: body.include_trades, equity: body.include_equity });
  return answerRun(call, { kind: 'portfolio', order, save: body.save, parts }, context.prefer);
}
