/** Watching what a backtest trades. */
import { post } from '../session.ts';
import { ticker } from '../text.ts';
import type { BacktestResult, OwnStrategy, Strategies, Watch } from '../types.ts';
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
