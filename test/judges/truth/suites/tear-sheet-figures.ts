/** Tear sheets of our backtests of the sample market, computed again from their returns. */
import { fileURLToPath } from 'node:url';
import { ratesOn } from '../../../../engine/backtest/rates.ts';
import { formatDay } from '../../../../engine/market/dates.ts';
import { lagOf } from '../../../../engine/tear-sheet/regression.ts';
import { type TearSheet, tearSheetOf } from '../../../../engine/tear-sheet/tear-sheet.ts';
import { type Figures, pairUp } from '../pairs.ts';
import { RUN_EXECUTION, type SampleRun, sampleRuns, wholeSeries } from '../sample-runs.ts';
import type { Suite } from '../suite.ts';

const INSTRUMENTS = 4;
const FACTORS = 3;
const EVERY = 100;
const NO_HOLDINGS = (sessions: number) => ({
  positions: new Int32Array(sessions),
  invested: new Float64Array(sessions),
  largest: new Float64Array(sessions),
  squares: new Float64Array(sessions),
});

/** A run with its tear sheet against other instruments: the first of them is the benchmark. */
interface Sheet {
  readonly name: string;
  readonly sheet: TearSheet;
  readonly factors: readonly (readonly number[])[];
}

/** A rate that rises and falls, as that of bills does; every other run is told above it. */
const BILLS = { at: (days: Int32Array) => Float64Array.from(days, (_, t) => 2.5 + 2.5 * Math.sin(t / 120)) };

function sheetOf({ name, series, run }: SampleRun, others: readonly Float64Array[], isAbove: boolean): Sheet {
  const rates = ratesOn(series.day, isAbove ? { riskFree: 'bills' } : {}, new Map([['bills', BILLS]]));
  const sheet = tearSheetOf({
    rates,
    days: series.day,
    equity: run.equity,
    initialCapital: RUN_EXECUTION.initialCapital,
    benchmark: others[0],
    factors: others.map((value, i) => ({ symbol: `factor ${i}`, value, first: 0 })),
    trades: [],
    positions: null,
    market: others[0].map((price, t) => (t === 0 ? 0 : price / others[0][t - 1] - 1)),
    holdings: NO_HOLDINGS(series.length),
    seed: '0123456789abcdef',
    single: null,
  });
  const factors = others.map((value) => Array.from(value, (price, t) => (t === 0 ? 0 : price / value[t - 1] - 1)));
  return { name: isAbove ? `${name} above a risk-free rate` : name, sheet, factors };
}

function rollingFigures({ rolling }: TearSheet['time']): Figures {
  const rows = (['63', '252'] as const).flatMap((window) =>
    rolling[window].flatMap(({ volatility_pct, sharpe, beta }, i): [string, number | null][] =>
      i % EVERY === 0
        ? [
            [`volatility of ${window} at bar ${i + Number(window) - 1}`, volatility_pct],
            [`sharpe of ${window} at bar ${i + Number(window) - 1}`, sharpe],
            [`beta of ${window} at bar ${i + Number(window) - 1}`, beta],
          ]
        : [],
    ),
  );
  return Object.fromEntries(rows);
}

/** Our figures, by the names that the script gives theirs. */
function ours({ returns, benchmark, regression, time }: TearSheet): Figures {
  const { best_day, worst_day, best_week, worst_week, best_month, worst_month, ...plain } = returns;
  const { total_pct: _total, annual_return_pct: _annual, tracking_error_pct, ...compared } = benchmark;
  return {
    ...plain,
    'best day': best_day.pct,
    'worst day': worst_day.pct,
    'best week': best_week.pct,
    'worst week': worst_week.pct,
    'best month': best_month.pct,
    'worst month': worst_month.pct,
    ...Object.fromEntries(time.years.map(({ year, run_pct }) => [`year ${year}`, run_pct])),
    ...compared,
    'tracking error': tracking_error_pct,
    ...Object.fromEntries(time.drawdowns.map(({ depth_pct }, i) => [`drawdown ${i + 1}`, depth_pct])),
    ...rollingFigures(time),
    'r2 of the regression': regression?.r2 ?? null,
    ...Object.fromEntries(
      regression?.terms.flatMap(({ coefficient, t, p }, i) => [
        [`coefficient ${i}`, coefficient],
        [`t of coefficient ${i}`, t],
        [`p of coefficient ${i}`, p],
      ]) ?? [],
    ),
  };
}

export const TEAR_SHEETS: Suite = {
  name: 'tear-sheet',
  title: 'Tear sheets by empyrical, pyfolio, quantstats, and statsmodels',
  source:
    'empyrical-reloaded 0.7.1: stats; pyfolio-reloaded 0.10.1: timeseries; quantstats 0.0.86: stats; statsmodels 0.15.0: OLS with ' +
    'cov_type HAC',
  compares: 'Figures and regressions of tear sheets; those against the benchmark are brought to a year',
  tolerance: 1e-9,
  needsPython: true,
  requirements: 'requirements-performance.txt',
  async pairs(choose, python) {
    const whole = wholeSeries(INSTRUMENTS + FACTORS);
    const others = whole.slice(INSTRUMENTS).map(({ series }) => series.close);
    const named = new Set(whole.slice(0, INSTRUMENTS).map(({ symbol }) => symbol));
    const all = sampleRuns(3 * (INSTRUMENTS + FACTORS)).filter(({ symbol }) => named.has(symbol));
    const runs = choose(all, 8);
    const sheets = runs.map((run, i) => sheetOf(run, others, i % 2 === 1));
    const request = sheets.map(({ sheet, factors }, i) => ({
      day: Array.from(runs[i].series.day, formatDay),
      returns: sheet.series.map(({ run }) => run),
      benchmark: sheet.series.map(({ benchmark }) => benchmark),
      risk_free: sheet.series.map(({ risk_free = 0 }) => risk_free),
      lag: lagOf(sheet.sessions - 1),
      factors,
    }));
    const theirs = await python.run<Figures[]>(
      fileURLToPath(new URL('tear-sheet-figures.py', import.meta.url)),
      request,
    );
    return sheets.flatMap(({ name, sheet }, i) => pairUp(name, theirs[i], ours(sheet)));
  },
};
