/** Searches: their objectives, their address, and the call that runs them. */

import { JobFailure, path } from '../api.ts';
import { strategyOfRules } from '../elements/strategy-fields.ts';
import { type RuleScreen, ruleScreenIn } from '../elements/universe-fields.ts';
import { showJobNotice } from '../notices.ts';
import { AXIS, parameterNames, type RunBody, runIn, type Settings, settingsOf } from '../run/specification.ts';
import { get, post } from '../session.ts';
import { fixed, signedPercent, symbolsIn } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BacktestJob, SearchJob, SearchResult, Strategies } from '../types.ts';
import { type Axis, axesIn, axisText, defaultGrid, heatNames } from './grid.ts';

export const OBJECTIVES = [
  'sharpe',
  'sortino',
  'calmar',
  'total_pnl_pct',
  'annualized_pct',
  'excess_return_pct',
  'profit_factor',
  'win_rate',
] as const;
export type Objective = (typeof OBJECTIVES)[number];

const TEXTS = {
  sharpe: 'run.sharpe',
  sortino: 'run.sortino',
  calmar: 'run.calmar',
  total_pnl_pct: 'run.total',
  annualized_pct: 'run.a_year',
  excess_return_pct: 'run.against_holding',
  profit_factor: 'run.profit_factor',
  win_rate: 'run.win_rate',
} as const;

export const objectiveOf = (code: string | undefined): Objective => OBJECTIVES.find((one) => one === code) ?? 'sharpe';
export const objectiveText = (code: Objective) => t(TEXTS[code]);

/** A figure of the objective: returns with sign and unit, ratios with two decimals. */
export function objectiveFigure(code: Objective, value: number | null | undefined): string {
  return code.endsWith('_pct') || code === 'win_rate' ? signedPercent(value, 1) : fixed(value, 2);
}

export function queryOfSearch(search: SearchBody): string {
  const { grid, objective, heatmap, walk_forward: walk, symbol, symbols, screen, ...run } = search;
  const query = new URLSearchParams(settingsOf(run));
  if (symbol !== undefined) query.set('symbol', symbol);
  if (symbols) query.set('symbols', symbols.join(' '));
  if (screen) {
    query.set('where', screen.where);
    query.set('limit', String(screen.limit));
  }
  for (const [name, axis] of Object.entries(grid)) query.set(`${AXIS}${name}`, axisText(axis));
  query.set('objective', objective);
  if (heatmap) {
    query.set('x', heatmap[0]);
    query.set('y', heatmap[1]);
  }
  if (walk) {
    query.set('train', String(walk.train_bars));
    query.set('test', String(walk.test_bars));
  }
  return query.toString();
}

/** The search that an address names. */
export function bodyIn(settings: Settings, { strategies, defaults }: Strategies): SearchBody {
  const { objective = OBJECTIVES[0], x, y, train, test } = settings;
  const run = runIn({ ...settings, strategy: settings.strategy ?? defaults.strategy });
  const chosen = run.rules
    ? strategyOfRules(parameterNames(settings))
    : strategies.find(({ code }) => code === run.strategy);
  const named = chosen ? axesIn(settings, chosen) : {};
  const grid = chosen && Object.keys(named).length === 0 ? defaultGrid(chosen) : named;
  const heatmap = x && y ? ([x, y] as const) : heatNames(Object.keys(grid));
  return {
    ...universeIn(settings),
    ...run,
    grid,
    objective,
    ...(heatmap === null ? {} : { heatmap }),
    ...(train && test ? { walk_forward: { train_bars: Number(train), test_bars: Number(test) } } : {}),
  };
}

/** The instruments that an address names: one, a list of them, or those that a screen finds. */
function universeIn({ symbol = '', symbols, where, limit }: Settings) {
  if (where !== undefined) return { screen: ruleScreenIn({ where, limit: Number(limit) || undefined }) };
  return symbols === undefined ? { symbol } : { symbols: symbolsIn(symbols) };
}

export interface SearchBody extends RunBody {
  /** One of these three. */
  readonly symbol?: string;
  readonly symbols?: readonly string[];
  readonly screen?: RuleScreen;
  readonly grid: Readonly<Record<string, Axis>>;
  readonly objective: string;
  readonly heatmap?: readonly [string, string];
  readonly walk_forward?: { readonly train_bars: number; readonly test_bars: number };
}

const WAIT_S = 25;

/** Returns the id of the job. */
export async function startSearch(body: SearchBody): Promise<string> {
  const { job_id } = await post<BacktestJob>('/v1/optimize', body);
  return job_id;
}

/** Waits for a search, and reports its progress. Throws an `ApiError`, or a `JobFailure`. */
export async function searchResult(
  jobId: string,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
): Promise<SearchResult> {
  const address = path('/v1/optimize/jobs/{job_id}', { job_id: jobId });
  try {
    let job = await get<SearchJob>(address, { signal });
    for (;;) {
      if (job.result) return job.result;
      if (job.error) throw new JobFailure(job.error.message);
      showJobNotice(job.notice);
      onProgress(job.progress_pct);
      job = await get<SearchJob>(address, { query: { wait: WAIT_S }, signal });
    }
  } finally {
    showJobNotice(null);
  }
}
