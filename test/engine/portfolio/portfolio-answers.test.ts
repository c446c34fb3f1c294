/** Compares portfolios on real bars with figures that another implementation of the same rules computed. */

import { beforeAll, expect, it } from '@jest/globals';
import { ADJUST_MODES } from '../../../engine/market/adjust.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import {
  type PortfolioMember,
  type PortfolioSettings,
  portfolioMetrics,
  preparePortfolio,
  runPrepared,
} from '../../../engine/portfolio/backtest.ts';
import { contributionsOf } from '../../../engine/portfolio/figures.ts';
import type { Allocation } from '../../../engine/portfolio/portfolio.ts';
import { effectiveParameters, requireStrategy } from '../../../engine/strategies/catalogue.ts';
import { required } from '../../../engine/util/values.ts';
import { expectSame, readKnownAnswers, reportedMetrics, reportedTrade } from '../../support/known-answers.ts';
import { readMembers } from '../../support/real-market.ts';

interface Body {
  readonly symbols: readonly string[];
  readonly strategy: string;
  readonly params: Record<string, number>;
  readonly start: string;
  readonly end: string;
  readonly execute_on: 'close' | 'next_open';
  readonly adjust: PortfolioSettings['adjust'];
  readonly allocation: {
    readonly max_positions?: number;
    readonly sizing?: Allocation['sizing'];
    readonly volatility_period?: number;
    readonly rank_by?: { readonly field: string; readonly period?: number; readonly order?: 'asc' | 'desc' };
    readonly rebalance?: Allocation['rebalance'];
    readonly cash_buffer_pct?: number;
  };
  readonly benchmark: string;
  readonly cost?: { readonly commission_rate: number; readonly min_commission: number; readonly slippage_bps: number };
}

interface Case {
  readonly name: string;
  readonly body: Body;
  readonly metrics: Record<string, number | string>;
  readonly trades: readonly Record<string, number | string>[];
  readonly equity: readonly [string, number, number][];
  readonly contributions: readonly Record<string, number | string>[];
  readonly positions: readonly [string, number, number][];
}

const { cases: answers, describe } = readKnownAnswers<Case>('portfolio.json');

function planOf({ strategy, params, start, end, adjust, execute_on, allocation, cost }: Body): PortfolioSettings {
  const effective = effectiveParameters(requireStrategy(strategy), params);
  if ('refused' in effective) throw new Error(`${strategy} does not take ${JSON.stringify(params)}`);
  const { rank_by } = allocation;
  return {
    strategy,
    adjust,
    params: effective.values,
    start: requireDay(start),
    end: requireDay(end),
    timeRange: 'MAX',
    execution: {
      executeOn: execute_on,
      commissionRate: cost?.commission_rate ?? 0,
      minCommission: cost?.min_commission ?? 0,
      slippageBps: cost?.slippage_bps ?? 0,
      initialCapital: 100_000,
    },
    allocation: {
      maxPositions: allocation.max_positions ?? 10,
      sizing: allocation.sizing ?? 'equal',
      volatilityPeriod: allocation.volatility_period ?? 63,
      rankBy: rank_by ? { field: rank_by.field, period: rank_by.period ?? null, order: rank_by.order ?? 'desc' } : null,
      rebalance: allocation.rebalance ?? 'none',
      cashBufferPct: allocation.cash_buffer_pct ?? 0,
    },
  };
}

describe('portfolios on real bars', () => {
  let members: Map<string, PortfolioMember>;

  beforeAll(() => {
    const named = answers.flatMap(({ body }) => [...body.symbols, body.benchmark]);
    members = readMembers(new Set(named.filter((name) => name !== 'equal_weight')));
  });

  const [known, unknown] = [true, false].map((isKnown) =>
    answers.filter(({ body }) => ADJUST_MODES.some((adjust) => adjust === body.adjust) === isKnown),
  );
  if (unknown.length > 0) process.stderr.write(`SKIPPED: ${unknown.map(({ name }) => name).join('; ')}\n`);

  it.each(known.map((answer) => [answer.name, answer] as const))('%s', (_, { body, ...expected }) => {
    const plan = planOf(body);
    const memberOf = (symbol: string) => required(members.get(symbol));
    const single = body.benchmark === 'equal_weight' ? null : memberOf(body.benchmark);
    const prepared = preparePortfolio(plan, body.symbols.map(memberOf), single);
    if (!prepared) throw new Error('no bars');
    const run = runPrepared(prepared, plan, plan.params);
    const { clock, instruments, benchmark } = prepared;
    const metrics = portfolioMetrics(prepared, run, plan.execution.initialCapital);
    expectSame(reportedMetrics(metrics, clock), expected.metrics, 'metrics');
    const symbolOf = (instrument: number) => instruments[instrument].symbol.replace('.US', '');
    expect(run.trades).toHaveLength(expected.trades.length);
    for (const [i, trade] of run.trades.entries()) {
      const { day } = instruments[trade.instrument].range.series;
      const reported = reportedTrade(trade, i, symbolOf(trade.instrument), day);
      expectSame(reported, expected.trades[i], `trade ${i}`);
    }
    expect(clock).toHaveLength(expected.equity.length);
    for (const [t, [date, equity, held]] of expected.equity.entries()) {
      const actual = { date: formatDay(clock[t]), equity: run.equity[t], held: benchmark[t] };
      expectSame(actual, { date, equity, held }, `equity ${t}`);
    }
    for (const [t, [date, count, invested]] of expected.positions.entries()) {
      const share = (100 * run.invested[t]) / run.equity[t];
      expectSame(
        { date: formatDay(clock[t]), count: run.positions[t], invested: share },
        { date, count, invested },
        `${t}`,
      );
    }
    for (const [i, reported] of contributionsOf(run.trades).entries()) {
      const { instrument, trades, pnl, pnlSharePct } = reported;
      const actual = { symbol: symbolOf(instrument), trades, pnl, pnl_share_pct: pnlSharePct };
      expectSame(actual, expected.contributions[i], `contribution ${i}`);
    }
  });
});
