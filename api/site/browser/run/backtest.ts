/** Backtests as pages make and show them. */
import { day } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BacktestResult } from '../types.ts';
import { ideaOfRun } from './idea.ts';
import { type RunKind, sharedBody, strategyName } from './kind.ts';
import { type RunBody, runIn, type Settings, settingsOf } from './specification.ts';

export interface BacktestBody extends RunBody {
  readonly symbol: string;
}

/** A call in the address of the page. */
function queryOf({ symbol, ...run }: BacktestBody): string {
  return new URLSearchParams({ symbol, ...settingsOf(run) }).toString();
}

/** The call that an address names; the form fills in the rest. */
export const bodyIn = (settings: Settings): BacktestBody => ({ symbol: settings.symbol, ...runIn(settings) });

export const BACKTEST: RunKind<BacktestBody, BacktestResult> = {
  page: '/backtest',
  heading: t('page.backtest'),
  sharedHeading: t('page.shared'),
  needsKey: false,
  api: {
    run: '/v1/backtest',
    kept: '/api/backtest/{id}',
    share: '/api/backtest/{id}/share',
    shared: '/api/backtest/shared/{slug}',
    evidence: '/v1/backtests/{id}',
    sheet: '/tear-sheet?backtest={id}',
  },
  subject: ({ symbol }) => symbol,
  title: ({ symbol, strategy, start_date, end_date }, strategies) =>
    t('run.title', {
      symbol,
      strategy: strategyName(strategies, strategy),
      start: day(start_date),
      end: day(end_date),
    }),
  idea: ideaOfRun,
  bodyOf: (result) => ({ ...sharedBody(result), symbol: result.symbol }),
  queryOf,
};
