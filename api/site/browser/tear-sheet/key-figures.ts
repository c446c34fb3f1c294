/** The six figures of a tear sheet that matter first, with their intervals where they have some. */
import type { Figure } from '../run/figures.ts';
import { fixed, number, signed, signedPercent, tone } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BacktestResult, PortfolioResult, TearSheet } from '../types.ts';

export function keyFigures(sheet: TearSheet, { cost, statistics }: BacktestResult | PortfolioResult): Figure[] {
  const { returns, benchmark, trades, chance } = sheet;
  const ends = chance.bootstrap?.final_equity;
  const depths = chance.bootstrap?.max_drawdown_pct;
  const gain = (equity: number) => signed(100 * (equity / cost.initial_capital - 1), 1);
  const percents = ([low, high]: readonly [number, number]) => between(signed(low, 1), signed(high, 1));
  const annual = statistics?.annualized_interval;
  const sharpe = statistics?.sharpe_interval;
  const ahead = returns.total_pct - benchmark.total_pct;
  return [
    {
      place: 'returns.total_pct',
      name: t('sheet.total_pct'),
      value: signedPercent(returns.total_pct, 1),
      tone: tone(returns.total_pct),
      unit: ends && between(gain(ends.p5), gain(ends.p95)),
    },
    {
      place: 'returns.annual_return_pct',
      name: t('sheet.annual_return_pct'),
      value: signedPercent(returns.annual_return_pct, 1),
      tone: tone(returns.annual_return_pct),
      unit: annual ? percents(annual) : undefined,
    },
    {
      place: 'benchmark.total_pct',
      name: t('sheet.against'),
      value: t('run.in_points', { points: signed(ahead, 1) }),
      tone: tone(ahead),
      unit: t('sheet.benchmark_of', { figure: signedPercent(benchmark.total_pct, 1) }),
    },
    {
      place: 'returns.max_drawdown_pct',
      name: t('sheet.max_drawdown_pct'),
      value: signedPercent(-Math.abs(returns.max_drawdown_pct), 1),
      tone: tone(-Math.abs(returns.max_drawdown_pct)),
      unit: depths && between(signed(-depths.p95, 1), signed(-depths.p5, 1)),
    },
    {
      place: 'returns.sharpe',
      name: t('sheet.sharpe'),
      value: fixed(returns.sharpe),
      unit: sharpe ? between(signed(sharpe[0]), signed(sharpe[1])) : undefined,
    },
    {
      place: 'trades.count',
      name: t('sheet.count'),
      value: number(trades.count),
      unit: t('run.won', { share: fixed(trades.win_rate_pct, 0) }),
    },
  ];
}

const between = (low: string, high: string) => t('run.interval', { low, high });
