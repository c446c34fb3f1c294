/** The tear sheet of a run, as it is described. */
import { z } from '../http/input/fields.ts';
import { interestSchema } from './cost-fields.ts';
import { figure } from './schemas.ts';

const day = z.iso.date();
const probability = z.number().min(0).max(1);
const month = z.string().regex(/^\d{4}-\d{2}$/);
const orNull = <S extends z.ZodType>(schema: S, description: string) =>
  z.union([schema, z.null()]).meta({ description: `Null: ${description}` });

const dayReturn = z.object({ ts: day, pct: z.number() });
const monthReturn = z.object({ month, pct: z.number() });
const percentiles = z
  .object({ p5: z.number(), p25: z.number(), p50: z.number(), p75: z.number(), p95: z.number() })
  .meta({ id: 'TearSheetPercentiles' });

const returnsSchema = z
  .object({
    total_pct: z.number(),
    annual_return_pct: figure.meta({ description: 'A year has 252 sessions' }),
    volatility_pct: figure,
    sharpe: figure,
    sortino: figure,
    calmar: figure.meta({ description: '`annual_return_pct` ÷ `max_drawdown_pct`' }),
    max_drawdown_pct: z.number(),
    omega: figure,
    skewness: figure,
    excess_kurtosis: figure,
    tail_ratio: figure,
    stability: figure.meta({ description: 'R² of the logarithm of the growth against time' }),
    var_95_pct: z.number().meta({ description: 'The 5th percentile of the returns' }),
    var_99_pct: z.number(),
    cvar_95_pct: z.number().meta({ description: 'The mean of the lowest 5% of the returns' }),
    cvar_99_pct: z.number(),
    best_day: dayReturn,
    worst_day: dayReturn,
    best_week: dayReturn.meta({ description: '`ts`: its last session' }),
    worst_week: dayReturn,
    best_month: monthReturn,
    worst_month: monthReturn,
    positive_days_pct: z.number(),
    positive_months_pct: z.number(),
    longest_up_days: z.int(),
    longest_down_days: z.int(),
  })
  .meta({ id: 'TearSheetReturns' });

const benchmarkSchema = z
  .object({
    total_pct: z.number(),
    annual_return_pct: figure,
    beta: figure,
    alpha_pct: figure.meta({ description: 'A year' }),
    correlation: figure,
    r2: figure,
    tracking_error_pct: figure,
    information_ratio: figure,
    active_return_pct: z.number(),
    up_capture: figure,
    down_capture: figure,
    up_capture_mean: figure.meta({ description: 'Mean return ÷ that of the benchmark over its rising sessions' }),
    down_capture_mean: figure,
    batting_average_pct: z.number().meta({ description: 'Share of the months in which the run returned more' }),
  })
  .meta({ id: 'TearSheetBenchmark' });

const regressionSchema = z
  .object({
    sessions: z.int(),
    lag: z.int(),
    r2: z.number(),
    terms: z.array(
      z.object({
        name: z.string().meta({ description: '`alpha`, or the symbol of a factor' }),
        coefficient: z.number(),
        t: figure,
        p: figure,
      }),
    ),
  })
  .meta({
    id: 'TearSheetRegression',
    description: 'Least squares with the errors of Newey and West; alpha is per session',
  });

const rolling = z.array(z.object({ ts: day, volatility_pct: z.number(), sharpe: figure, beta: figure }));

const timeSchema = z
  .object({
    months: z.array(z.object({ month, run_pct: z.number(), benchmark_pct: z.number() })),
    years: z.array(z.object({ year: z.int(), run_pct: z.number(), benchmark_pct: z.number() })),
    rolling: z.object({ '63': rolling, '252': rolling }),
    drawdowns: z
      .array(
        z.object({
          peak: day,
          valley: day,
          recovery: day.nullable(),
          depth_pct: z.number(),
          bars_down: z.int(),
          bars_up: z.int().nullable(),
        }),
      )
      .meta({ description: 'The ten deepest' }),
    underwater: z.array(z.object({ ts: day, drawdown_pct: z.number() })),
    exposure_pct: z.number(),
    avg_positions: z.number(),
    turnover_pct: figure,
    costs: z.object({
      commission: z.number(),
      slippage: z.number(),
      commission_pct_per_year: figure,
      slippage_pct_per_year: figure,
    }),
    concentration: z.object({
      largest_weight_pct: figure,
      mean_largest_weight_pct: figure,
      mean_effective_number: figure,
    }),
  })
  .meta({ id: 'TearSheetTime' });

const distribution = orNull(
  z.object({ width_pct: z.number(), from_pct: z.number(), counts: z.array(z.int()) }),
  'no trade',
);
const group = { trades: z.int(), win_rate_pct: z.number(), pnl: z.number(), mean_pct: z.number() };

const holdingBars = z.object({
  mean: figure,
  median: figure,
  longest: figure,
  mean_wins: figure,
  mean_losses: figure,
});

export const positionSummarySchema = z
  .object({
    closed: z.int(),
    won: z.int(),
    win_rate_pct: figure,
    payoff: figure,
    profit_factor: figure,
    expectancy_pct: figure,
    expectancy: figure,
    holding_bars: holdingBars,
    trims: z.int().meta({ description: 'Sales of a part' }),
  })
  .meta({
    id: 'PositionSummary',
    description:
      'Positions, each from the first purchase of a symbol until none of it is left; `trades` has every sale',
  });

const tradesSchema = z
  .object({
    count: z.int(),
    wins: z.int(),
    losses: z.int(),
    win_rate_pct: figure,
    payoff: figure,
    profit_factor: figure,
    expectancy_pct: figure,
    expectancy: figure,
    sqn: figure,
    kelly: figure,
    holding_bars: holdingBars,
    longest_win_streak: z.int(),
    longest_loss_streak: z.int(),
    distributions: z.object({ pnl_pct: distribution, mae_pct: distribution, mfe_pct: distribution }),
    position_summary: orNull(positionSummarySchema, 'the run has one instrument'),
    by_exit_reason: z.array(z.object({ exit_reason: z.string(), ...group })),
    by_symbol: z.array(z.object({ symbol: z.string(), ...group })),
    by_entry_month: z.array(z.object({ month, ...group })),
  })
  .meta({ id: 'TearSheetTrades', description: 'Of portfolios these are figures of positions, not of sales' });

const chanceSchema = z
  .object({
    bootstrap: orNull(
      z.object({
        samples: z.int(),
        block_length: z.number(),
        seed: z.string(),
        bands: z.array(z.object({ ts: day, ...percentiles.shape })),
        final_equity: percentiles,
        max_drawdown_pct: percentiles,
        under_water_bars: percentiles,
        p_loss: probability,
        p_drawdown_above: z.object({ '20': probability, '30': probability, '50': probability }),
      }),
      'fewer than 60 sessions, or returns that are all equal',
    ),
    trade_order: orNull(
      z.object({
        shuffles: z.int(),
        trades: z.int(),
        max_drawdown_pct: percentiles,
        under_water_trades: percentiles,
        run: z.object({ max_drawdown_pct: z.number(), under_water_trades: z.number() }),
      }),
      'fewer than two trades',
    ),
    random_entries: orNull(
      z.object({
        runs: z.int(),
        rank: probability.meta({ description: 'Share of the random runs that ended below this one' }),
        total_pct: percentiles,
      }),
      'no trade, or many instruments',
    ),
    random_sets: orNull(
      z.object({ runs: z.int(), rank: probability, total_pct: percentiles }),
      'no rotation, or too many positions and sessions',
    ).meta({ description: 'Rotations whose names are drawn at random' }),
  })
  .meta({ id: 'TearSheetChance' });

const sentenceSchema = z.object({
  key: z.string().meta({ description: 'One for each sentence' }),
  text: z.string(),
  figures: z
    .record(z.string(), z.number())
    .meta({ description: 'The figures that made it, by their places in the sheet' }),
});

export const tearSheetSchema = z
  .object({
    sessions: z.int(),
    start_date: day,
    end_date: day,
    series: z
      .array(
        z.object({
          ts: day,
          run: z.number(),
          benchmark: z.number(),
          market: z.number().optional(),
          risk_free: z.number().optional(),
        }),
      )
      .meta({
        description:
          'Simple returns, not rounded; `market`: what skill is told beside, where it is not the benchmark; `risk_free`: what the ' +
          'ratios, alpha, beta, and the regression are above, where the run has a rate',
      }),
    returns: returnsSchema,
    benchmark: benchmarkSchema,
    regression: orNull(regressionSchema, 'no factors, fewer than 60 sessions, or returns that do not vary'),
    interest: interestSchema.optional(),
    time: timeSchema,
    trades: tradesSchema,
    chance: chanceSchema,
    verdict: z.object({ sentences: z.array(sentenceSchema) }),
  })
  .meta({ id: 'TearSheet' });
