/** The plans and their limits, as the text of a page; and the first plan that has what a page needs. */
import { keysOf } from '../../engine/util/values.ts';
import {
  PLAN_CODES,
  PLANS,
  type PlanCode,
  RATE_CATEGORIES,
  type RateCategory,
  WINDOW_SECONDS,
} from '../access/plans.ts';
import { fill, type Locale } from '../http/language/locale.ts';
import { table } from './markdown-table.ts';
import { siteText } from './texts/catalogue.ts';

/** Sizes that plans differ in, by the names of their quotas. */
const SIZES = {
  kline_max_days: 'plan_view.days',
  backtest_history_max: 'plan_view.saved',
  concurrent_backtests: 'plan_view.running',
  portfolio_symbols_max: 'plan_view.portfolio',
  sweep_cells_max: 'plan_view.cells',
  factor_cells_max: 'plan_view.factor_cells',
  sql_rows_max: 'plan_view.sql',
  market_files: 'plan_view.files',
  watches_max: 'plan_view.watches',
  columns_max: 'plan_view.columns',
  column_rows_max: 'plan_view.column_rows',
  judge_values_max: 'plan_view.judge_values',
  forward_max: 'plan_view.forward',
  batch_symbols_max: 'plan_view.batch',
  api_keys_max: 'account.keys',
} as const;

/** A need of a page: a kind of calls, or a size. */
export type Door = RateCategory | keyof typeof SIZES;

/** The first plan behind a door. */
export function planBehind(door: Door): PlanCode {
  const isOpen = ({ limits, quotas }: (typeof PLANS)[PlanCode]) => ({ ...quotas, ...limits })[door] !== 0;
  return PLAN_CODES.find((code) => isOpen(PLANS[code])) ?? 'enterprise';
}

/** In Markdown. */
export function plansText(locale: Locale): string {
  const t = (key: Parameters<typeof siteText>[0]) => siteText(key, locale);
  const written = (most: number | null) => {
    if (most === null) return t('plan_view.unlimited');
    return most === 0 ? t('plan_view.not_included') : most.toLocaleString(locale);
  };
  const rate = (limit: number, category: RateCategory) => {
    if (limit === 0) return t('plan_view.not_included');
    const text = t(WINDOW_SECONDS[category] === 3600 ? 'plan_view.an_hour' : 'plan_view.a_minute');
    return fill(text, { limit: limit.toLocaleString(locale) });
  };
  const names = PLAN_CODES.map((code) => t(`plan.${code}`));
  const numbers = new Set(PLAN_CODES.map((_, column) => column + 1));
  const calls = RATE_CATEGORIES.map((one) => [
    t(`category.${one}`),
    ...PLAN_CODES.map((code) => rate(PLANS[code].limits[one], one)),
  ]);
  const sizes = keysOf(SIZES).map((quota) => [
    t(SIZES[quota]),
    ...PLAN_CODES.map((code) => written(PLANS[code].quotas[quota])),
  ]);
  return [
    t('plans.how'),
    `## ${t('plan_view.sizes')}`,
    table([t('plan_view.limit'), ...names], numbers, sizes),
    `## ${t('plan_view.rates')}`,
    table([t('plan_view.calls'), ...names], numbers, calls),
    t('plan_view.rates.text'),
  ].join('\n\n');
}
