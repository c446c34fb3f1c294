/** A search in the address of its page. */
import { ruleScreenIn } from '../elements/universe-fields.ts';
import { queryOf } from '../run/backtest.ts';
import { literal, type Settings } from '../run/settings.ts';
import { symbolsIn } from '../symbols.ts';
import type { Strategies } from '../types.ts';
import type { SearchBody } from './call.ts';
import { axesIn, axisText } from './grid.ts';
import { OBJECTIVES } from './objectives.ts';

const COSTS = ['commission_rate', 'min_commission', 'slippage_bps'] as const;

export function queryOfSearch(search: SearchBody): string {
  const { grid, objective, heatmap, walk_forward: walk, symbol = '', symbols, screen, ...body } = search;
  const query = new URLSearchParams(queryOf({ ...body, symbol }));
  if (symbols) query.set('symbols', symbols.join(' '));
  if (screen) {
    query.set('where', screen.where);
    query.set('limit', String(screen.limit));
  }
  for (const [name, axis] of Object.entries(grid)) query.set(`g.${name}`, axisText(axis));
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
  const { time_range, start, end, execute_on, adjust, objective = OBJECTIVES[0], x, y, train, test } = settings;
  const strategy = settings.strategy ?? defaults.strategy;
  const chosen = strategies.find(({ code }) => code === strategy);
  const costs = COSTS.filter((name) => settings[name] !== undefined);
  const params = Object.entries(settings)
    .filter(([name]) => name.startsWith('p.'))
    .map(([name, value]) => [name.slice(2), literal(value)]);
  return {
    ...universeIn(settings),
    strategy,
    ...(start === undefined ? { time_range: time_range ?? '5Y' } : { start }),
    ...(end === undefined ? {} : { end }),
    ...(execute_on === undefined ? {} : { execute_on }),
    ...(adjust === undefined ? {} : { adjust }),
    ...(costs.length === 0 ? {} : { cost: Object.fromEntries(costs.map((name) => [name, Number(settings[name])])) }),
    params: Object.fromEntries(params),
    grid: chosen ? axesIn(settings, chosen) : {},
    objective,
    ...(x && y ? { heatmap: [x, y] as const } : {}),
    ...(train && test ? { walk_forward: { train_bars: Number(train), test_bars: Number(test) } } : {}),
  };
}

/** The instruments that an address names: one, a list of them, or those that a screen finds. */
function universeIn({ symbol = '', symbols, where, limit }: Settings) {
  if (where !== undefined) return { screen: ruleScreenIn({ where, limit: Number(limit) || undefined }) };
  return symbols === undefined ? { symbol } : { symbols: symbolsIn(symbols) };
}
