/** Stored results of a backtest: names, order, rounding, and days as text. */
import { describe, expect, it } from '@jest/globals';
import { partsIn } from '../../../db/runs/run-results.ts';
import type { Metrics } from '../../../engine/backtest/metrics.ts';
import type { Trade } from '../../../engine/backtest/simulate.ts';
import { ADJUST_MODES } from '../../../engine/market/adjust.ts';
import { dayOf } from '../../../engine/market/dates.ts';
import { SessionLedger } from '../../../engine/market/session-ledger.ts';
import { effectiveParameters, requireStrategy } from '../../../engine/strategies/catalogue.ts';
import type { BacktestSpec } from '../../../jobs/contracts/backtest.ts';
import type { History } from '../../../jobs/runs/history.ts';
import { equityJson, klinesJson, metricsView, tradesView } from '../../../jobs/runs/report.ts';
import { reportSearchStatistics, reportSelection, reportStatistics } from '../../../jobs/runs/statistics.ts';
import { backtestResult } from '../../support/results.ts';
import { seriesOf } from '../../support/series.ts';

const bars = seriesOf([100, [110, 112.1234567, 109, 110], 99], dayOf(2025, 6, 2));
const trade: Trade = {
  entryIndex: 7,
  exitIndex: 9,
  entryPrice: 100.12345678,
  exitPrice: 99,
  shares: 999.00000049,
  pnl: -1122.336,
  pnlPct: -1.122336,
  commission: 0.005,
  maePct: -1.00004,
  mfePct: 12.12345,
  exitReason: 'end_of_data',
};
const run = { trades: [trade], equity: Float64Array.of(100_000, 110_000.004, 99_000), barsExposed: 2, interest: 0 };

describe('a stored result', () => {
  it('has its trades with days of the range, prices to 6 decimals, and money to 2', () => {
    expect(JSON.stringify(tradesView({ bars, run, offset: 7 }))).toBe(
      '[{"seq":1,"entry_date":"2025-06-02","entry_price":100.123457,"exit_date":"2025-06-04","exit_price":99,' +
        '"shares":999,"pnl":-1122.34,"pnl_pct":-1.1223,"bars_held":2,"commission":0.01,"mae_pct":-1,"mfe_pct":12.1235,' +
        '"entry_reason":"signal","exit_reason":"end_of_data"}]',
    );
  });

  it('has one candle per bar', () => {
    expect(JSON.parse(klinesJson({ bars }))[1]).toEqual({
      ts: '2025-06-03',
      open: 110,
      high: 112.123457,
      low: 109,
      close: 110,
      volume: bars.volume[1],
    });
  });

  it('does not depend on earlier runs on the same history', () => {
    const day = dayOf(2025, 1, 6);
    const closes = Array.from({ length: 200 }, (_, i) => 100 + (i % 7) + i / 3);
    const history: History = {
      series: seriesOf(closes, day),
      events: [
        { exDay: day + 40, kind: 'split', factor: 0.5 },
        { exDay: day + 90, kind: 'cash_dividend', factor: 0.98 },
      ],
    };
    const effective = effectiveParameters(requireStrategy('sma_cross'), { fast_period: 3, slow_period: 8 });
    if ('refused' in effective) throw new Error('bad parameters');
    const spec: BacktestSpec = {
      instrumentId: 1,
      symbol: 'ACRX.US',
      listedOn: null,
      delistedOn: null,
      strategy: 'sma_cross',
      params: effective.values,
      timeRange: '1Y',
      start: null,
      end: null,
      adjust: 'split',
      isCostless: true,
      execution: { executeOn: 'close', commissionRate: 0, minCommission: 0, slippageBps: 0, initialCapital: 100_000 },
      asOf: day + 400,
      dataAsOf: null,
      distributionMode: 'eod_only',
      includeStatistics: false,
    };
    const ledger = SessionLedger.ofVenueBasis({ published: null, complete: [] });
    const resultOver = (over: History, changes: Partial<BacktestSpec>) =>
      backtestResult({ ...spec, ...changes }, over, ledger, { dataVersion: '', at: new Date(0) });
    const changes: Partial<BacktestSpec>[] = ADJUST_MODES.flatMap((adjust) => [
      ...[{ adjust }, { adjust, end: day + 60 }, { adjust, end: day + 120 }, { adjust, timeRange: '3M' as const }],
      ...[
        { adjust, start: day + 30, end: day + 60 },
        { adjust, start: day + 30, end: day + 120 },
      ],
    ]);
    const results = [...changes, ...changes].map((change) => resultOver(history, change));
    expect(results).toEqual([...changes, ...changes].map((change) => resultOver({ ...history }, change)));
    // Some are equal, because no event lies between their ends.
    const klines = results.map((result) => result && partsIn(result).get('klines')?.toString());
    expect(new Set(klines).size).toBe(14);
  });

  it('has the drawdown and the value of buy and hold at each point of the equity curve', () => {
    expect(equityJson({ bars, run }, 100_000)).toBe(
      '[{"ts":"2025-06-02","equity":100000,"drawdown_pct":0,"buy_hold":100000},' +
        '{"ts":"2025-06-03","equity":110000,"drawdown_pct":0,"buy_hold":110000},' +
        '{"ts":"2025-06-04","equity":99000,"drawdown_pct":10,"buy_hold":99000}]',
    );
  });

  it('has its metrics in a fixed order, ratios to 4 decimals, money to 2, and null where a metric is undefined', () => {
    const metrics: Metrics = {
      finalEquity: 99_000.005,
      numTrades: 1,
      winRate: 0,
      totalPnlPct: -1.00004,
      annualizedPct: -84.123456,
      maxDrawdownPct: 10,
      maxDrawdownDays: 1,
      sharpe: null,
      sortino: -0.12345,
      calmar: -8.4123456,
      profitFactor: 0,
      buyHoldPnlPct: -1,
      excessReturnPct: -0.00004,
      exposurePct: 66.66666,
      avgTradePct: -1.122336,
      bestTradePct: -1.122336,
      worstTradePct: -1.122336,
      avgBarsHeld: 2,
    };
    expect(JSON.stringify(metricsView(metrics))).toBe(
      '{"num_trades":1,"win_rate":0,"total_pnl_pct":-1,"annualized_pct":-84.1235,"max_drawdown_pct":10,' +
        '"max_drawdown_days":1,"sharpe":null,"sortino":-0.1234,"calmar":-8.4123,"profit_factor":0,"buy_hold_pnl_pct":-1,' +
        '"excess_return_pct":0,"exposure_pct":66.6667,"avg_trade_pct":-1.1223,"best_trade_pct":-1.1223,' +
        '"worst_trade_pct":-1.1223,"avg_bars_held":2,"final_equity":99000.01}',
    );
  });

  it('has its statistics with probabilities to 6 decimals, other figures to 4, and bars rounded up', () => {
    const run = {
      psr: 0.12345678,
      minTrackRecordBars: 682.001,
      sharpeInterval: [-0.123456, 1.98765] as const,
      annualizedInterval: [-12.345678, 23.456789] as const,
      blockLength: 13.635665,
      returns: 250,
      skill: {
        beta: 0.123456789,
        alphaPct: 1.23456,
        alphaT: 2.34567,
        appraisal: 0.98765,
        psr: 0.9612345,
        minTrackRecordBars: 99.1,
        appraisalInterval: [0.12345, 1.98765] as const,
        alphaInterval: [-0.12345, 3.98765] as const,
        exAnte: { psr: 0.9512345, t: 1.98765, bars: 190 },
        shown: true,
      },
    };
    const seed = '0123456789abcdef';
    const reported = {
      psr: 0.123457,
      min_track_record_bars: 683,
      sharpe_interval: [-0.1235, 1.9877],
      annualized_interval: [-12.3457, 23.4568],
      block_length: 13.6357,
      seed,
      returns: 250,
      skill: {
        benchmark: 'buy_hold',
        beta: 0.12345679,
        alpha_pct: 1.2346,
        alpha_t: 2.3457,
        appraisal: 0.9877,
        psr: 0.961235,
        min_track_record_bars: 100,
        appraisal_interval: [0.1235, 1.9877],
        alpha_interval_pct: [-0.1234, 3.9877],
        ex_ante: { psr: 0.951235, t: 1.9877, bars: 190 },
        shown: true,
      },
    };
    expect(reportStatistics(run, seed, 'buy_hold')).toEqual(reported);
    const counts = Array<number>(20).fill(1);
    const overfitting = { pbo: 0.98765432, bound: 2.484907, counts, slope: -0.123456 };
    const realityCheck = {
      lower: 0.1234567,
      consistent: 0.2345678,
      upper: 0.3456789,
      statistic: 1.234567,
      blockLength: 2.345678,
      superior: [1],
    };
    const crossValidation = { purge: 20, sharpes: [0.1, -0.1, 0, 0.05] };
    const adjusted = { p: 0.1234567, sharpe: 0.1 };
    const haircut = { tests: 12, p: 0.0123456789, bonferroni: adjusted, holm: adjusted, bhy: adjusted };
    const search = {
      run,
      moments: null,
      appraisal: null,
      columns: 12,
      overfitting,
      realityCheck,
      crossValidation,
      haircut,
      superior: [1],
    };
    const combinations = [{ period: 5 }, { period: 10 }];
    expect(reportSearchStatistics(search, seed, combinations, 'buy_hold')).toEqual({
      ...reported,
      skill: { ...reported.skill, shown: null },
      columns: 12,
      pbo: 0.987654,
      pbo_distribution: { from: -2.4849, to: 2.4849, counts, slope: -0.1235 },
      spa: { lower: 0.123457, consistent: 0.234568, upper: 0.345679, statistic: 1.2346, block_length: 2.3457 },
      step_m: { count: 1, superior: [{ period: 10 }] },
      cpcv: {
        folds: 10,
        test_folds: 2,
        purge: 20,
        embargo: 5,
        sharpes: [1.5875, -1.5875, 0, 0.7937],
        share_below_0: 0.25,
      },
      haircut: {
        tests: 12,
        p: 0.012346,
        bonferroni: { p: 0.123457, sharpe: 1.5875 },
        holm: { p: 0.123457, sharpe: 1.5875 },
        bhy: { p: 0.123457, sharpe: 1.5875 },
      },
    });
    const moments = { count: 1250, sharpe: 2.5 / Math.sqrt(250), skewness: -3, kurtosis: 10 };
    const tally = { runs: 2, measured: 2, sum: 0, squares: 2 };
    const basis = { moments, appraisal: moments, tally, bars: 100 };
    const alone = reportSelection(100, basis, tally);
    // The deviation √2 of the two over √100 bars, times the expected maximum of two.
    const account = { runs: 2, emax: 0.5198, hurdle: 0.073505, dsr: 0.992175 };
    expect(alone).toEqual({ trials: 100, emax: 2.5306, min_backtest_years: expect.any(Number), account });
    expect(reportSelection(1, basis, null).account).toBeNull();
    expect(alone.min_backtest_years).toBe(Math.round((1e4 * 2.5306028932 ** 2) / (2.5 ** 2 * (252 / 250))) / 1e4);
    const spread = Math.sqrt(0.5 / 250);
    expect(reportSelection(100, { ...basis, spread, appraisalSpread: spread }, tally)).toEqual({
      ...alone,
      skill: { hurdle: 0.113172, dsr: 0.900397 },
      hurdle: 0.113172,
      dsr: 0.900397,
    });
  });
});
