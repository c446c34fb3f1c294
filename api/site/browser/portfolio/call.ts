/** Running a portfolio, and its form in the address of the page. */
import { runJob } from '../run/call.ts';
import type { PortfolioResult } from '../types.ts';

export interface PortfolioBody {
  readonly symbols?: readonly string[];
  readonly screen?: object;
  readonly strategy: string;
  readonly time_range?: string;
  readonly start?: string;
  readonly end?: string;
  readonly params?: Readonly<Record<string, number | string | boolean>>;
  readonly execute_on?: string;
  readonly adjust?: string;
  readonly cost?: Readonly<Record<string, number>>;
  readonly allocation?: object;
  readonly benchmark?: string;
  readonly save?: boolean;
}

export function runPortfolio(body: PortfolioBody, signal: AbortSignal): Promise<PortfolioResult> {
  return runJob<PortfolioResult>('/v1/portfolio', body, signal);
}

/** The call that gives a result again. */
export function portfolioBodyOf(result: PortfolioResult): PortfolioBody {
  const { symbols, strategy, time_range, start_date, end_date, params, cost, adjust, allocation, benchmark } = result;
  const { execute_on, commission_rate, min_commission, slippage_bps } = cost;
  const { rank_by, ...rules } = allocation;
  const range = time_range === 'CUSTOM' ? { start: start_date, end: end_date } : { time_range, end: end_date };
  return {
    symbols,
    strategy,
    ...range,
    params,
    execute_on,
    adjust,
    cost: { commission_rate, min_commission, slippage_bps },
    allocation: { ...rules, ...(rank_by ? { rank_by: { ...rank_by, period: rank_by.period ?? undefined } } : {}) },
    benchmark,
  };
}

/** Whether it is a call, as far as the form needs it; the API says what else is wrong. */
function isBody(given: unknown): given is PortfolioBody {
  return typeof given === 'object' && given !== null && 'strategy' in given && typeof given.strategy === 'string';
}

/** The call as one value of the address: a link runs it again. */
export function bodyInAddress(text: string | null): PortfolioBody | null {
  try {
    const given: unknown = JSON.parse(text ?? '');
    return isBody(given) ? given : null;
  } catch {
    return null;
  }
}

/** Symbols as people type them: between spaces, commas, or lines. */
export function symbolsIn(text: string): string[] {
  return [
    ...new Set(
      text
        .toUpperCase()
        .split(/[\s,;]+/)
        .filter((symbol) => symbol !== ''),
    ),
  ];
}
