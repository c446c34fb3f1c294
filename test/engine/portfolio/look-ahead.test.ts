/** Portfolios cut after every session and before their range. */

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Rules } from '../../../engine/backtest/look-ahead.ts';
import { NO_RATES } from '../../../engine/backtest/rates.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { type BarSeries, sliceSeries } from '../../../engine/market/series.ts';
import {
  type PortfolioSettings,
  type PreparedPortfolio,
  preparePortfolio,
} from '../../../engine/portfolio/backtest.ts';
import { clockOf } from '../../../engine/portfolio/clock.ts';
import {
  measurePortfolioWarmUp,
  type ProvedPortfolio,
  provePortfolioPrefixes,
} from '../../../engine/portfolio/look-ahead.ts';
import { type Allocation, NO_EXITS } from '../../../engine/portfolio/portfolio.ts';
import { simulatePortfolio } from '../../../engine/portfolio/simulate.ts';
import { NO_FIGURES, simulateTargets } from '../../../engine/portfolio/targets.ts';
import { ruleSignals } from '../../../engine/rules/signals.ts';
import { readRules } from '../../../engine/rules/strategy.ts';
import { FigureHistory } from '../../../engine/screener/figure-history.ts';
import { effectiveParameters, requireStrategy } from '../../../engine/strategies/catalogue.ts';
import type { ParameterValues } from '../../../engine/strategies/parameters.ts';
import { required } from '../../../engine/util/values.ts';
import { asTraded, eventAt } from '../../support/events.ts';
import { randomMembers } from '../../support/portfolio-members.ts';
import { randomSeries } from '../../support/series.ts';

const ALLOCATION: Allocation = {
  maxPositions: 2,
  sizing: 'inverse_volatility',
  volatilityPeriod: 5,
  rankBy: { field: 'rsi', period: 4, order: 'asc' },
  rebalance: 'week',
  cashBufferPct: 5,
};

const COSTS = { commissionRate: 0.001, minCommission: 0, slippageBps: 5, initialCapital: 100_000 };

function rulesOf(code: string, given: ParameterValues): Rules {
  const strategy = requireStrategy(code);
  const effective = effectiveParameters(strategy, given);
  if ('refused' in effective) throw new Error(JSON.stringify(effective.refused));
  return (series) => strategy.plan(new IndicatorSet(series), effective.values);
}

function preparedOf(count: number, length: number, seed: number): PreparedPortfolio {
  const instruments = randomMembers(count, length, seed)
    .toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1))
    .map(({ symbol, series: { adjustedFor: _, ...bars }, from, to, isDelisted }) => {
      const series = { ...bars, adjustedFor: [] };
      const indicators = new IndicatorSet(series);
      const range = {
        series,
        from,
        to,
        rangeReasons: [],
        wantedStart: null,
        cut: (end: number) => sliceSeries(series, 0, end),
        finalReason: isDelisted ? ('delisted' as const) : ('end_of_data' as const),
      };
      return {
        symbol,
        range,
        indicators,
        groups: { asset_type: 'stock', venue: '' },
        rank: new FigureHistory(indicators, 'rsi', 4),
        volatility: new FigureHistory(indicators, 'volatility_pct', 5),
      };
    });
  const clock = clockOf(instruments.map(({ range }) => range));
  const nothing = new Float64Array(clock.length);
  return { instruments, clock, benchmark: nothing, market: nothing, rates: NO_RATES, wantedStart: null };
}

function portfolioOf(prepared: PreparedPortfolio, rules: Rules, executeOn: 'close' | 'next_open' = 'close') {
  const execution = { ...COSTS, executeOn };
  return provedAs(prepared, rules, { allocation: ALLOCATION, execution });
}

function provedAs(
  prepared: PreparedPortfolio,
  rules: Rules,
  { allocation, execution }: Pick<PortfolioSettings, 'allocation' | 'execution'>,
): ProvedPortfolio {
  return {
    prepared,
    rules,
    settings: { allocation },
    simulate: (instruments, clock) => simulatePortfolio({ instruments, clock, allocation, execution }),
  };
}

function proofOf(portfolio: ProvedPortfolio) {
  const proof = provePortfolioPrefixes(portfolio);
  for (;;) {
    const step = proof.next();
    if (step.done) return step.value;
  }
}

/** Buys where the next bar closes higher. */
const seeing: Rules = (series: BarSeries) => {
  const plan = rulesOf('sma_cross', { fast_period: 2, slow_period: 5 })(series);
  const entry = (from: number, to: number) => {
    for (let t = from; t < to; t++) if (t + 1 < series.length && series.close[t + 1] > series.close[t]) return t;
    return to;
  };
  return { ...plan, signals: { ...plan.signals, entry } };
};

describe('a portfolio', () => {
  it('is the same on every prefix of its sessions, with halts, listings, and delistings', () => {
    const strategies = fc.constantFrom<[string, ParameterValues]>(
      ['sma_cross', { fast_period: 2, slow_period: 5 }],
      ['donchian', { entry_period: 4, exit_period: 2 }],
      ['chandelier', { sma_period: 4, atr_period: 3, exit_mult: 1.5, take_profit_pct: 8 }],
    );
    const executions = fc.constantFrom<'close' | 'next_open'>('close', 'next_open');
    fc.assert(
      fc.property(fc.nat(1e6), strategies, executions, (seed, [code, params], executeOn) => {
        const prepared = preparedOf(5, 50, seed);
        const proof = proofOf(portfolioOf(prepared, rulesOf(code, params), executeOn));
        expect(proof).toEqual({ prefixes: prepared.clock.length, differences: 0, verdict: 'none', first: null });
      }),
      { numRuns: 25 },
    );
  });

  describe('ranked by a level, over splits and dividends', () => {
    const rankBy = { field: 'dollar_volume', period: null, order: 'desc' } as const;
    const members = Array.from({ length: 4 }, (_, i) => {
      const walk = randomSeries(60, 11 + i);
      const events = [eventAt(walk, 20 + 9 * i, i % 2 === 0 ? 0.25 : 8), eventAt(walk, 50 - i, 0.9, 'cash_dividend')];
      const lifetime = { listedOn: null, delistedOn: null };
      return { symbol: `S${i}.US`, series: asTraded(walk, events), asOf: walk.day[59], events, lifetime };
    });
    const allocation = { ...ALLOCATION, sizing: 'equal', rankBy: { ...rankBy, field: 'close' } } as const;
    const params = { fast_period: 2, slow_period: 5 };
    const execution = {
      executeOn: 'close',
      commissionRate: 0,
      minCommission: 0,
      slippageBps: 0,
      initialCapital: 1e5,
    } as const;
    const provedBy = (ranked: Allocation) => {
      const settings = {
        allocation: ranked,
        execution,
        strategy: 'sma_cross',
        params,
        timeRange: 'MAX',
        start: members[0].series.day[10],
        end: null,
        adjust: 'total',
      } as const;
      return provedAs(required(preparePortfolio(settings, members, null)), rulesOf('sma_cross', params), settings);
    };

    it.each(['close', 'volume', 'dollar_volume', 'sma'])('by %s, it is the same on every prefix', (field) => {
      const ranked = { ...allocation, rankBy: { field, period: field === 'sma' ? 5 : null, order: 'desc' as const } };
      expect(proofOf(provedBy(ranked))).toMatchObject({ differences: 0, verdict: 'none' });
    });

    it('a level on the basis of the last bar is detected', () => {
      const leaking: Rules = (series) => {
        const honest = rulesOf('sma_cross', params)(series);
        const read = readRules({ entry: 'close > 60' });
        if ('problems' in read) throw new Error(JSON.stringify(read.problems));
        const indicators = new IndicatorSet({ ...series, adjustedFor: [] });
        return { ...honest, signals: { ...honest.signals, entry: ruleSignals(read.rules, indicators, {}).entry } };
      };
      expect(proofOf({ ...provedBy(allocation), rules: leaking }).verdict).toBe('found');
    });
  });

  it('of target weights is the same on every prefix, with money that goes in and out', () => {
    const rebalances = fc.constantFrom('none' as const, 'week' as const, { bandPct: 3 });
    const executions = fc.constantFrom<'close' | 'next_open'>('close', 'next_open');
    const amounts = fc.constantFrom(0, 5_000, -5_000, -60_000);
    fc.assert(
      fc.property(fc.nat(1e6), rebalances, executions, amounts, (seed, rebalance, executeOn, amount) => {
        const prepared = preparedOf(5, 90, seed);
        const execution = { ...COSTS, executeOn };
        const targets = prepared.instruments.map(({ symbol }) => ({ symbol, weight: 0.19 }));
        const allocation = { targets, rebalance, flows: [{ amount, every: 'month' as const }] };
        const proof = proofOf({
          prepared,
          rules: () => NO_EXITS,
          settings: { allocation: NO_FIGURES },
          simulate: (instruments, clock) => simulateTargets({ instruments, clock, allocation, execution }),
        });
        expect(proof).toEqual({ prefixes: prepared.clock.length, differences: 0, verdict: 'none', first: null });
      }),
      { numRuns: 25 },
    );
  });

  it('that uses the next bar is detected', () => {
    const proof = proofOf(portfolioOf(preparedOf(4, 40, 3), seeing));
    expect(proof.verdict).toBe('found');
    expect(proof.first).not.toBeNull();
  });

  it('needs as many bars before its range as its longest average', () => {
    const prepared = preparedOf(4, 90, 8);
    const { needed, available, compared } = measurePortfolioWarmUp(
      portfolioOf(prepared, rulesOf('sma_cross', { fast_period: 2, slow_period: 5 })),
      5,
    );
    expect(available).toBe(Math.max(...prepared.instruments.map(({ range }) => range.from)));
    expect(compared.at(-1)).toBe(available);
    expect(needed).toBeLessThanOrEqual(available);
  });
});
