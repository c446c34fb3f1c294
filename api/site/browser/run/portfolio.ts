/** Portfolios as pages make and show them. */

import { day } from '../text.ts';
import { t } from '../tool-text.ts';
import type { PortfolioResult } from '../types.ts';
import { ideaOfRun } from './idea.ts';
import { type RunKind, sharedBody, strategyName } from './kind.ts';
import { isRotationResult, type RotationBody, rotationBodyOf } from './rotation.ts';
import { type RunBody, withDefaults } from './specification.ts';
import {
  type CompareBody,
  isCompareBody,
  isWeightsBody,
  isWeightsResult,
  type WeightsBody,
  weightsBodyOf,
} from './weights.ts';

export interface PortfolioBody extends RunBody {
  readonly symbols?: readonly string[];
  readonly screen?: object;
  readonly allocation?: object;
  readonly benchmark?: string;
}

/** A call of either form. */
export type AnyPortfolioBody = PortfolioBody | RotationBody | WeightsBody;

function bodyOf(result: PortfolioResult): AnyPortfolioBody {
  if (isRotationResult(result)) return rotationBodyOf(result);
  if (isWeightsResult(result)) return weightsBodyOf(result, sharedBody(result));
  const { rank_by, ...rules } = result.allocation ?? {};
  const rank = rank_by ? { rank_by: { ...rank_by, period: rank_by.period ?? undefined } } : {};
  return {
    ...sharedBody(result),
    symbols: result.symbols,
    allocation: { ...rules, ...rank },
    benchmark: result.benchmark,
  };
}

const DAY_MS = 86_400_000;

/** All symbols held alike from the day after their screen. `screenedOn`: empty: the newest session. */
export function heldSince(symbols: readonly string[], screenedOn: string): PortfolioBody {
  const allocation = { max_positions: symbols.length };
  const run = { symbols, strategy: 'buy_hold', allocation };
  return withDefaults(screenedOn === '' ? run : { ...run, start: dayAfter(screenedOn) });
}

export const dayAfter = (date: string) => new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10);

/** Whether it is a call, as far as the form needs it; the API says what else is wrong. */
function isBody(given: unknown): given is AnyPortfolioBody {
  if (typeof given !== 'object' || given === null) return false;
  if (isWeightsBody(given)) return true;
  return 'rotation' in given ? 'universe' in given : 'strategy' in given && typeof given.strategy === 'string';
}

/** The call as one value of the address: a link runs it again. */
export function bodyInAddress(text: string | null): AnyPortfolioBody | null {
  const given = parsed(text);
  return isBody(given) ? given : null;
}

/** The call that compares weights, if the address names one. */
export function compareInAddress(text: string | null): CompareBody | null {
  const given = parsed(text);
  return typeof given === 'object' && given !== null && isCompareBody(given) ? given : null;
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

/** Instruments of a portfolio; of a rotation those with a bar in the range. */
export const countOf = ({ symbols, members }: PortfolioResult) => symbols?.length ?? members ?? 0;

/** A call as one value of the query. */
export const runQuery = (body: object) => new URLSearchParams({ run: JSON.stringify(body) }).toString();

export const PORTFOLIO: RunKind<AnyPortfolioBody, PortfolioResult> = {
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
  subject: (result) => t('portfolio.count', { count: countOf(result) }),
  title: (result, strategies) =>
    t('portfolio.title', {
      count: countOf(result),
      strategy: isRotationResult(result) ? t('rotation.name') : strategyName(strategies, result.strategy),
      start: day(result.start_date),
      end: day(result.end_date),
    }),
  idea: ideaOfRun,
  bodyOf,
  queryOf: runQuery,
};
