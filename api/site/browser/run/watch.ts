/** Watching what a backtest trades, and what a screen finds. */
import { path } from '../api.ts';
import { get, post } from '../session.ts';
import { ticker } from '../text.ts';
import type { BacktestResult, OwnStrategy, Signal, Signals, Strategies, Watch } from '../types.ts';
import { EXITS, strategyWords } from './kind.ts';

const MAX_NAME = 100;

/** Watches the strategy of a run on its instrument, with its numbers. Rules are saved first, as a strategy of the account. */
export async function watchRun(result: BacktestResult, strategies: Strategies, signal: AbortSignal): Promise<Watch> {
  const { symbol, strategy, params, rules } = result;
  const words = rules?.entry ?? strategyWords(strategies, result);
  const name = `${ticker(symbol)} · ${words}`.slice(0, MAX_NAME);
  const body = { name, strategy, symbols: [symbol], params };
  if (rules === undefined) return post<Watch>('/v1/my/watches', body, { signal });
  const named = Object.entries(params).filter(([key]) => !EXITS.includes(key));
  const parameters = Object.fromEntries(named.map(([key, value]) => [key, { default: value }]));
  const { id } = await post<OwnStrategy>('/v1/my/strategies', { name, rules, parameters }, { signal });
  return post<Watch>('/v1/my/watches', { ...body, rules: { saved: id } }, { signal });
}

export interface EvaluatedWatch {
  readonly watch: Watch;
  /** Those of the newest session; null: it is not evaluated yet. */
  readonly signals: readonly Signal[] | null;
}

const PAUSE_MS = 500;
const TRIES = 120;

/** Watches a screen, and waits until its newest session is evaluated, for a minute at most. */
export async function watchScreen(name: string, screen: object, mail: boolean): Promise<EvaluatedWatch> {
  let watch = await post<Watch>('/v1/my/watches', { name, screen, mail });
  for (let tries = 0; tries < TRIES && watch.evaluated === null; tries++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    watch = await get<Watch>(path('/v1/my/watches/{id}', { id: watch.id }));
  }
  if (watch.evaluated === null) return { watch, signals: null };
  const query = { watch_id: watch.id, since: watch.evaluated, size: 200 };
  return { watch, signals: (await get<Signals>('/v1/my/signals', { query })).items };
}
