/** Decimals of the figures of a tear sheet, by their names. */
import { figure } from '../market/figures.ts';
import type { TearSheet } from './tear-sheet.ts';

const DECIMALS = 4;
const MONEY = ['commission', 'slippage', 'expectancy', 'pnl', 'bands', 'final_equity'];
const PROBABILITIES = [
  'p',
  'p_loss',
  'p_drawdown_above',
  'rank',
  'chance.random_entries.rank',
  'chance.random_sets.rank',
  'chance.bootstrap.p_loss',
];
const COEFFICIENTS = ['coefficient', 'regression.terms.0.coefficient', 'statistics.skill.beta'];

const DECIMALS_OF: ReadonlyMap<string, number> = new Map([
  ...MONEY.map((name) => [name, 2] as const),
  ...[...PROBABILITIES, 'regression.terms.0.p'].map((name) => [name, 6] as const),
  ...COEFFICIENTS.map((name) => [name, 8] as const),
]);
/** Its figures are not rounded. */
const EXACT = 'series';

/**
 * Rounds the figures of a sheet, in place, as they are served. What a name holds is rounded as the name says. Throws
 * `FiguresOverflow`.
 */
export function rounded(sheet: TearSheet): TearSheet {
  roundIn(sheet, DECIMALS);
  return sheet;
}

const isSection = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function roundIn(section: unknown, decimals: number): void {
  if (!isSection(section)) return;
  for (const name in section) {
    const value = section[name];
    if (typeof value === 'string' || name === EXACT) continue;
    const own = DECIMALS_OF.get(name) ?? decimals;
    if (typeof value === 'number') section[name] = figure(value, own);
    else roundIn(value, own);
  }
}
