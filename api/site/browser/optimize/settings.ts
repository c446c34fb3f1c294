/** A search in the address of its page. */
import { strategyOfRules } from '../elements/strategy-fields.ts';
import { ruleScreenIn } from '../elements/universe-fields.ts';
import { AXIS, parameterNames, runIn, type Settings, settingsOf } from '../run/specification.ts';
import { symbolsIn } from '../symbols.ts';
import { fixed, signedPercent, t } from '../text.ts';
import type { Strategies } from '../types.ts';
import type { SearchBody } from './call.ts';
import { axesIn, axisText } from './grid.ts';

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
  win_rate: 'optimize.win_rate',
} as const;

export const objectiveOf = (code: string): Objective => OBJECTIVES.find((one) => one === code) ?? 'sharpe';
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
  return {
    ...universeIn(settings),
    ...run,
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
