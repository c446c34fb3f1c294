/** Portfolios as pages make and show them. */

import { day, t } from '../text.ts';
import type { PortfolioResult } from '../types.ts';
import { type RunKind, sharedBody, strategyName } from './kind.ts';
import type { RunBody } from './specification.ts';

export interface PortfolioBody extends RunBody {
  readonly symbols?: readonly string[];
  readonly screen?: object;
  readonly allocation?: object;
  readonly benchmark?: string;
}

function bodyOf(result: PortfolioResult): PortfolioBody {
  const { rank_by, ...rules } = result.allocation;
  const rank = rank_by ? { rank_by: { ...rank_by, period: rank_by.period ?? undefined } } : {};
  return {
    ...sharedBody(result),
    symbols: result.symbols,
    allocation: { ...rules, ...rank },
    benchmark: result.benchmark,
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

export const PORTFOLIO: RunKind<PortfolioBody, PortfolioResult> = {
  page: '/portfolio',
  heading: t('page.portfolio'),
  sharedHeading: t('page.shared_portfolio'),
  needsKey: true,
  api: {
    run: '/v1/portfolio',
    kept: '/api/portfolio/{id}',
    share: '/api/portfolio/{id}/share',
    shared: '/api/portfolio/shared/{slug}',
    evidence: '/v1/portfolios/{id}',
    sheet: '/tear-sheet?portfolio={id}',
  },
  subject: ({ symbols }) => t('portfolio.count', { count: symbols.length }),
  title: ({ symbols, strategy, start_date, end_date }, strategies) =>
    t('portfolio.title', {
      count: symbols.length,
      strategy: strategyName(strategies, strategy),
      start: day(start_date),
      end: day(end_date),
    }),
  bodyOf,
  queryOf: (body) => new URLSearchParams({ run: JSON.stringify(body) }).toString(),
};
