/** By what the best combination can be chosen, and how such a figure is written. */
import { fixed, signedPercent, t } from '../text.ts';

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
