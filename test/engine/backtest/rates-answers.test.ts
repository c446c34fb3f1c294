/** Compares runs with interest on cash, and figures above a risk-free rate, with what another implementation of the same rules computed. */
import { beforeAll, expect, it } from '@jest/globals';
import { runBacktest } from '../../../engine/backtest/backtest.ts';
import { excessOf, type MarketColumn, nightsOf, type RateSettings, ratesOn } from '../../../engine/backtest/rates.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import {
  type PortfolioMember,
  type PortfolioSettings,
  portfolioMetrics,
  preparePortfolio,
  runPrepared,
} from '../../../engine/portfolio/backtest.ts';
import { singleValue } from '../../../engine/portfolio/benchmark.ts';
import type { Allocation } from '../../../engine/portfolio/portfolio.ts';
import { statisticsOfRun } from '../../../engine/statistics/single-run.ts';
import { effectiveParameters, requireStrategy } from '../../../engine/strategies/catalogue.ts';
import { comparedValue, partOfBacktest } from '../../../engine/tear-sheet/inputs.ts';
import { tearSheetOf } from '../../../engine/tear-sheet/tear-sheet.ts';
import { required } from '../../../engine/util/values.ts';
import { expectSame, type Figures, readKnownAnswers, reportedMetrics } from '../../support/known-answers.ts';
import { readMembers } from '../../support/real-market.ts';
import { expectAll, RealRotations, type Body as RotationBody } from '../../support/real-rotations.ts';

interface Body {
  readonly symbol?: string;
  readonly symbols?: readonly string[];
  readonly strategy: string;
  readonly params: Record<string, number>;
  readonly start: string;
  readonly end: string;
  readonly execute_on: 'close' | 'next_open';
  readonly adjust: PortfolioSettings['adjust'];
  readonly cost: { readonly commission_rate: number; readonly min_commission: number; readonly slippage_bps: number };
  readonly allocation?: {
    readonly max_positions: number;
    readonly sizing: Allocation['sizing'];
    readonly volatility_period: number;
    readonly rebalance: Allocation['rebalance'];
  };
  readonly risk_free?: string;
  readonly cash?: { readonly rate: number | string; readonly spread_bps?: number };
  readonly benchmark?: string;
}

interface Rows {
  readonly rows: readonly (Figures & { readonly ts: string })[];
  readonly count: number;
}

interface Case {
  readonly name: string;
  readonly body: Body;
  readonly metrics: Figures;
  readonly equity: readonly (readonly [day: string, equity: number, benchmark: number])[];
  readonly trades: { readonly count: number };
  readonly without_cash?: { readonly final_equity: number };
  readonly risk_free?: { readonly gaps: number; readonly mean: number; readonly last: readonly number[] };
  readonly tear_sheet?: { readonly returns: Figures; readonly rolling: Readonly<Record<'63' | '252', Rows>> };
  readonly series?: Readonly<Record<'returns' | 'benchmark_returns' | 'risk_free', readonly number[]>>;
  readonly skill?: Figures & { readonly ex_ante: Figures };
  readonly skill_without?: Figures;
}

interface GivenColumn {
  readonly rows: readonly (readonly [date: string, knownAt: null, value: number | null])[];
  readonly lag: number;
}

interface Content {
  readonly columns: Readonly<Record<'tbill' | 'stress', GivenColumn>>;
  readonly seed: string;
}

const { cases, content, describe } = readKnownAnswers<Case, Content>('columns.json');
const { cases: rotationCases } = readKnownAnswers<{ readonly name: string; readonly body: RotationBody & Body }>(
  'columns.json',
);
const caseOf = (name: string) =>
  required(
    cases.find((one) => one.name === name),
    name,
  );

const SESSIONS = Int32Array.from(sessionsBetween(requireDay('2020-06-01'), requireDay('2025-12-31')));

/** The number of sessions up to a day. */
const ordinalOf = (day: number) => SESSIONS.filter((session) => session <= day).length;

/** A market column: the newest row that is known at a session, until it is older than 2.5 × their usual distance. */
function columnOf({ rows, lag }: GivenColumn): MarketColumn {
  const known = rows.map(([date, , value]) => ({ about: ordinalOf(requireDay(date)), value: value ?? Number.NaN }));
  const distances = known.slice(1, 20).map(({ about }, i) => about - known[i].about);
  const staleAfter = 2.5 * distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)];
  const valueAt = (day: number) => {
    const t = ordinalOf(day);
    const newest = known.findLast(({ about }) => about + lag <= t);
    return newest !== undefined && t - newest.about <= staleAfter ? newest.value : Number.NaN;
  };
  return { at: (sessions) => Float64Array.from(sessions, valueAt) };
}

const columns = new Map(
  (['tbill', 'stress'] as const).flatMap((name) => (content ? [[name, columnOf(content.columns[name])] as const] : [])),
);

function ratesOf({ risk_free: riskFree, cash }: Body): RateSettings {
  if (cash === undefined) return { riskFree };
  const { rate, spread_bps = typeof rate === 'number' ? 0 : 50 } = cash;
  return { riskFree, cash: { rate, spreadBps: spread_bps } };
}

function settingsOf(body: Body) {
  const { strategy, params, start, end, adjust, execute_on, cost } = body;
  const effective = effectiveParameters(requireStrategy(strategy), params);
  if ('refused' in effective) throw new Error(`${strategy} does not take ${JSON.stringify(params)}`);
  return {
    strategy,
    adjust,
    ...ratesOf(body),
    params: effective.values,
    start: requireDay(start),
    end: requireDay(end),
    timeRange: 'MAX' as const,
    execution: {
      executeOn: execute_on,
      commissionRate: cost.commission_rate,
      minCommission: cost.min_commission,
      slippageBps: cost.slippage_bps,
      initialCapital: 100_000,
    },
  };
}

function expectEquity(clock: Int32Array, equity: Float64Array, { equity: expected, name }: Case): void {
  const at = new Map(Array.from(clock, (day, t) => [formatDay(day), t] as const));
  for (const [day, value] of expected) {
    const t = required(at.get(day), day);
    expectSame({ equity: equity[t] }, { equity: value }, `${name}, ${day}`);
  }
}

describe('rates on real bars', () => {
  let members: Map<string, PortfolioMember>;
  const memberOf = (ticker: string) => required(members.get(ticker), ticker);

  beforeAll(() => {
    members = readMembers(new Set(['SPY', 'AAPL', 'CAG', ...(caseOf('cash at a rate in a purse').body.symbols ?? [])]));
  });

  function runSingle(body: Body) {
    return required(runBacktest(settingsOf(body), { ...memberOf(body.symbol ?? ''), columns }));
  }

  it.each(['cash at a rate in one run, close', 'cash at a number, next open'])('%s', (name) => {
    const expected = caseOf(name);
    const { bars, run, metrics } = runSingle(expected.body);
    const reported = reportedMetrics({ ...metrics, turnoverPct: null, avgPositions: 0 }, bars.day);
    expectSame(reported, expected.metrics, name);
    expectEquity(bars.day, run.equity, expected);
    expect(run.trades).toHaveLength(expected.trades.count);
    const { finalEquity } = runSingle({ ...expected.body, cash: undefined }).metrics;
    expectSame({ final_equity: finalEquity }, required(expected.without_cash), 'without cash');
    // Interest belongs to no trade.
    const pnl = run.trades.reduce((sum, trade) => sum + trade.pnl, 0);
    expectSame({ gain: pnl + run.interest }, { gain: metrics.finalEquity - 100_000 }, 'gain');
  });

  it('cash at a rate in a purse', () => {
    const expected = caseOf('cash at a rate in a purse');
    const { body } = expected;
    const allocation = required(body.allocation);
    const settings: PortfolioSettings = {
      ...settingsOf(body),
      allocation: {
        maxPositions: allocation.max_positions,
        sizing: allocation.sizing,
        volatilityPeriod: allocation.volatility_period,
        rankBy: null,
        rebalance: allocation.rebalance,
        cashBufferPct: 0,
      },
    };
    const all = (body.symbols ?? []).map(memberOf);
    const prepared = required(preparePortfolio(settings, all, null, undefined, columns));
    const run = runPrepared(prepared, settings, settings.params);
    const metrics = portfolioMetrics(prepared, run, 100_000);
    expectSame(reportedMetrics(metrics, prepared.clock), expected.metrics, 'metrics');
    expectEquity(prepared.clock, run.equity, expected);
    expect(run.trades).toHaveLength(expected.trades.count);
    const pnl = run.trades.reduce((sum, trade) => sum + trade.pnl, 0);
    expectSame({ gain: pnl + run.interest }, { gain: metrics.finalEquity - 100_000 }, 'gain');
  });

  it('cash at a rate in a rotation under a filter', () => {
    const expected = caseOf('cash at a rate in a rotation under a filter');
    const body = required(rotationCases.find(({ name }) => name === expected.name)).body;
    const rotations = new RealRotations([body]);
    const panel = rotations.panelFor(body);
    const stress = required(columns.get('stress')).at(panel.clock);
    // Where the column has no value, the filter keeps its last one.
    let isCalm = true;
    const filter = Int8Array.from(stress, (value) => {
      if (!Number.isNaN(value)) isCalm = value < 16;
      return Number(isCalm);
    });
    const { cash } = ratesOn(panel.clock, ratesOf(body), columns);
    const run = rotations.run(body, panel, required(cash).returns, filter);
    const held = singleValue(memberOf('SPY').series, panel.clock, 100_000);
    const metrics = portfolioMetrics({ clock: panel.clock, benchmark: held }, run, 100_000);
    expectEquity(panel.clock, run.equity, expected);
    expectSame(reportedMetrics(metrics, panel.clock), expected.metrics, 'metrics');
    expect(run.trades).toHaveLength(expected.trades.count);
  });

  it.each(['a tear sheet above a risk-free rate', 'the same of a stock against the market, total return'])(
    '%s',
    (name) => {
      const expected = caseOf(name);
      const { body } = expected;
      const settings = settingsOf(body);
      const outcome = runSingle(body);
      const { bars, rates, metrics } = outcome;
      expectSame(
        reportedMetrics({ ...metrics, turnoverPct: null, avgPositions: 0 }, bars.day),
        expected.metrics,
        'metrics',
      );
      const riskFree = required(rates.riskFree);
      const { gaps, mean, last } = required(expected.risk_free);
      expect(riskFree.gaps).toBe(gaps);
      expectSame({ mean: riskFree.returns.reduce((sum, r) => sum + r, 0) / riskFree.returns.length }, { mean }, name);
      const series = required(expected.series);
      expect(riskFree.returns).toHaveLength(series.risk_free.length);
      series.risk_free.forEach((value, t) => {
        expectSame({ rho: riskFree.returns[t] }, { rho: value }, `${name} ${t}`);
      });
      expectSame({ rho: riskFree.returns.at(-1) ?? 0 }, { rho: last[last.length - 1] }, name);
      const part = partOfBacktest(outcome, body.symbol ?? '', settings.execution);
      const other = body.benchmark === undefined ? null : memberOf(body.benchmark);
      const benchmark = (other && comparedValue(settings, bars.day, other)?.value) ?? bars.close;
      const sheet = tearSheetOf({ ...part, benchmark, factors: [], seed: required(content).seed });
      const theirs = required(expected.tear_sheet);
      expectSame({ ...sheet.returns }, theirs.returns, name);
      for (const window of ['63', '252'] as const) {
        const { rows, count } = theirs.rolling[window];
        expect(sheet.time.rolling[window]).toHaveLength(count);
        const byDay = new Map(sheet.time.rolling[window].map((row) => [row.ts, row]));
        for (const row of rows) expectSame({ ...byDay.get(row.ts) }, row, `${name} ${row.ts}`);
      }
      expect(sheet.interest).toBeNull();
    },
  );

  it.each(['a tear sheet above a risk-free rate', 'the same of a stock against the market, total return'])(
    'the skill of %s',
    (name) => {
      const { series, skill: expected, skill_without, body } = caseOf(name);
      const { returns, benchmark_returns, risk_free } = required(series);
      const [r, b] = [returns, benchmark_returns].map((values) => Float64Array.from(values));
      const nights = { returns: Float64Array.from(risk_free), gaps: 0 };
      const days = requireDay(body.end) - requireDay(body.start);
      const { seed } = required(content);
      const of = (market: Float64Array, excess?: Float64Array) => {
        const skill = required(statisticsOfRun(r, market, days, seed, undefined, excess).skill);
        const { alphaPct, alphaT, minTrackRecordBars, appraisalInterval, alphaInterval, exAnte, ...rest } = skill;
        const named = { alpha_pct: alphaPct, alpha_t: alphaT, min_track_record_bars: minTrackRecordBars };
        const intervals = { appraisal_interval: appraisalInterval, alpha_interval_pct: alphaInterval };
        return { ...rest, ...named, ...intervals, ex_ante: required(exAnte) };
      };
      const found = of(excessOf(b, nights), excessOf(r, nights));
      expectAll(found, required(expected));
      expectSame(of(b), required(skill_without), 'without');
    },
  );
});

describe('nights', () => {
  it('compound the rate of the session before over the days between', () => {
    const { returns, gaps } = nightsOf(Int32Array.of(10, 11, 14, 15), Float64Array.of(5, 4, Number.NaN, 3));
    expect([...returns]).toEqual([0, 1.05 ** (1 / 365) - 1, 1.04 ** (3 / 365) - 1, 0]);
    expect(gaps).toBe(1);
  });
});
