/** Statistics, selection, receipt, and verdicts in answers. */
import { VERDICTS } from '../../db/runs/verdicts.ts';
import { instant, z } from '../http/input/fields.ts';
import { revisedBarSchema, revisedEventSchema } from '../market/revision-routes.ts';

const figure = z.number().nullable();
const probability = z.number().min(0).max(1).nullable();
const interval = z.tuple([z.number(), z.number()]).nullable();
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const skillSchema = z
  .object({
    benchmark: z.string().meta({
      description:
        'What was held: `buy_hold`, `equal_weight_daily` (every member with a bar, each session anew), or a symbol',
    }),
    beta: figure,
    alpha_pct: figure.meta({ description: 'Earned a year beyond β × the market' }),
    alpha_t: figure.meta({ description: 'Of the constant, with the errors of Newey and West' }),
    appraisal: figure.meta({ description: 'Mean ÷ deviation of what is left beyond the market, annualized' }),
    psr: probability,
    min_track_record_bars: z.int().nullable(),
    appraisal_interval: interval,
    alpha_interval_pct: interval,
    ex_ante: z
      .object({ psr: probability, t: figure, bars: z.int() })
      .nullable()
      .meta({ description: 'The same with the β known before each bar; null below 120 bars' }),
    shown: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether more than chance was shown beyond the market; null for what a search chose' }),
  })
  .meta({ id: 'Skill' });

const runStatistics = {
  psr: probability.meta({
    description: 'Probability that the true Sharpe ratio is above 0, as every run has it in a rising market',
  }),
  min_track_record_bars: z
    .int()
    .nullable()
    .meta({ description: 'Bars that the Sharpe ratio must last to be above 0 with 95% confidence' }),
  sharpe_interval: interval.meta({
    description: '5th and 95th percentile of the annualized Sharpe ratio over 1,000 stationary bootstrap resamples',
  }),
  annualized_interval: interval.meta({
    description: '5th and 95th percentile of the annualized return in percent, over the same resamples',
  }),
  block_length: figure.meta({ description: 'Mean block length of the resamples in bars' }),
  seed: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .meta({ description: 'Seed of the draws: the first 8 bytes of `spec_sha256`' }),
  returns: z.int().meta({ description: 'Returns, one for each bar of the range' }),
  skill: z.union([skillSchema, z.null()]).optional().meta({
    description: 'Earned beyond the market that was held; null below 60 bars',
  }),
};
const sentences = z
  .array(z.string())
  .meta({ description: 'The meaning of the figures, in the language of the answer' });

export const statisticsSchema = z.object({ ...runStatistics, sentences }).meta({
  id: 'RunStatistics',
  description: 'Absent with `include_statistics: false`. A figure is null where it is not defined',
});

export const bareStatisticsSchema = z.object(runStatistics);

const adjustedSharpe = z.object({ p: z.number().min(0).max(1), sharpe: z.number() });

export const searchStatisticsSchema = z
  .object({
    ...runStatistics,
    columns: z.int().meta({ description: 'Combinations that `pbo` and `spa` compare, 500 at most' }),
    pbo: probability.meta({
      description:
        'Probability of backtest overfitting: the share of 12,870 splits of the time in which the best of one half was not ' +
        'above the middle in the other half. Null for fewer than 10 combinations or 320 bars',
    }),
    pbo_distribution: z
      .object({
        from: z.number(),
        to: z.number(),
        counts: z.array(z.int()).length(20),
        slope: figure.meta({ description: 'Of the Sharpe ratio out of the sample on that in it' }),
      })
      .nullable()
      .meta({ description: 'Logits of the relative rank out of the sample, in 20 equal bins' }),
    spa: z
      .object({
        lower: z.number(),
        consistent: z.number(),
        upper: z.number(),
        statistic: z.number(),
        block_length: z.number(),
      })
      .nullable()
      .meta({
        description:
          'Test of superior predictive ability against the market that was held: p-values of "no combination is better"',
      }),
    step_m: z
      .object({
        count: z.int(),
        superior: z.array(z.record(z.string(), z.union([z.number(), z.string(), z.boolean()]))),
      })
      .nullable()
      .meta({
        description:
          'Combinations that beat the market that was held with 95% confidence for all of them together (Romano and Wolf), the first 50',
      }),
    cpcv: z
      .object({
        folds: z.int(),
        test_folds: z.int(),
        purge: z.int().meta({ description: 'Bars of the longest trade, as far as a fold allows' }),
        embargo: z.int(),
        sharpes: z.array(z.number()).meta({ description: 'Annualized, one for each path' }),
        share_below_0: z.number().min(0).max(1),
      })
      .nullable()
      .meta({
        description:
          'Combinatorial purged cross-validation: the best combination of the other folds is taken in each pair of test folds, and ' +
          'the tests are joined to paths. Null for a short range',
      }),
    haircut: z
      .object({ tests: z.int(), p: z.number(), bonferroni: adjustedSharpe, holm: adjustedSharpe, bhy: adjustedSharpe })
      .nullable()
      .meta({
        description:
          'The p-value of the best for as many tests as there are combinations, and the annualized Sharpe ratio that it leaves (Harvey and Liu). ' +
          'Null unless the ratio is above 0',
      }),
    sentences,
  })
  .meta({
    id: 'SearchStatistics',
    description: 'Of the best combination over the whole range, and of the choice among all of them',
  });

const selection = {
  trials: z.int().meta({
    description:
      'Distinct combinations that the account has computed for this instrument and strategy with the same ' +
      'adjustment and execution, these included; for a guest, those of this call',
  }),
  emax: z.number().meta({ description: 'Largest Sharpe ratio to expect of them without skill, in deviations' }),
  min_backtest_years: figure.meta({
    description: 'Years that the best must last to be above so many tries',
  }),
  account: z.object({ runs: z.int(), emax: z.number(), hurdle: figure, dsr: probability }).nullable().optional().meta({
    description: 'The same of all that the account has computed within 365 days, beyond the market; null for a guest',
  }),
};

export const selectionSchema = z.object(selection).meta({
  id: 'RunSelection',
  description:
    "The figures that depend on the account's history. They are fixed when the result is made and are not part of its digest",
});

export const searchSelectionSchema = z
  .object({
    ...selection,
    hurdle: figure.meta({ description: 'Sharpe ratio per bar that luck alone gives the best' }),
    dsr: probability.meta({ description: 'Deflated Sharpe ratio: the probability that the true ratio is above it' }),
    skill: z
      .object({ hurdle: figure, dsr: probability })
      .optional()
      .meta({ description: 'The same of what the best earned beyond the market' }),
  })
  .meta({ id: 'SearchSelection' });

export const receiptSchema = z
  .object({
    engine_version: z.string(),
    spec_sha256: digest.meta({
      description: 'Of the complete specification as canonical JSON (RFC 8785), every default filled in',
    }),
    data_sha256: digest.meta({ description: 'Of the bars and factors that were read, warm-up included' }),
    first_bar: z.iso.date().optional().meta({
      description:
        'First bar of this data, of any instrument; absent, like `last_bar`, in receipts of earlier versions',
    }),
    last_bar: z.iso
      .date()
      .optional()
      .meta({ description: 'Last bar of this data. Later loads do not change the range of a run' }),
    result_sha256: digest.meta({ description: 'Of figures, statistics, trades, and curves' }),
    data_version: z.string().meta({ description: 'Version of the data of this installation' }),
    computed_at: instant
      .optional()
      .meta({ description: 'Absent in the result of a run, which is the same at any time' }),
  })
  .meta({
    id: 'Receipt',
    description: 'SHA-256 digests: equal ones prove an equal specification, equal data, and an equal result',
  });

const verdictField = z.enum(VERDICTS).meta({
  description:
    '`both`: data and engine. `spec_changed`: the kept specification differs from that of the receipt. `unexplained`: neither ' +
    'data nor engine explains the difference. `no_receipt`: it was kept before there were receipts',
});

export const lastVerdictSchema = z
  .object({ verdict: verdictField, verified_at: instant })
  .meta({ id: 'LastVerdict', description: 'Of the last verification' });

const day = z.iso.date();

export const lookAheadSchema = z
  .object({
    prefixes: z.int().meta({ description: 'Cuts that were compared, one after each bar of the range' }),
    differences: z.int(),
    verdict: z.enum(['none', 'found']),
    first: z
      .object({ cut_after: day, date: day, kind: z.enum(['signal', 'trade', 'equity']) })
      .optional()
      .meta({ description: 'The first difference' }),
    warm_up: z
      .object({ needed_bars: z.int(), available_bars: z.int(), compared: z.array(z.int()) })
      .meta({ description: 'The fewest bars before the range from which on no trade changes' }),
    engine_version: z.string(),
    proved_at: instant,
  })
  .meta({ id: 'LookAheadReport' });

const ofPortfolio = z.string().optional();
const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, z.null()]);
const past = <S extends z.ZodType>(schema: S) =>
  z.union([schema, z.literal('unknown'), z.null()]).meta({
    description: 'Null: there was none. `unknown`: revisions do not reach back to the run',
  });
const sameAtLoad = z.boolean().nullable();
const differences = <S extends z.ZodType>(item: S) =>
  z.object({ total: z.int(), items: z.array(item).meta({ description: 'The first 200' }) });

export const verificationSchema = z
  .object({
    verdict: verdictField,
    reasons: z.array(z.string()).meta({ description: 'Everything that has changed' }),
    verified_at: instant,
    engine: z.object({ was: z.string().nullable(), is: z.string() }),
    receipt: z.object({ was: orNull(receiptSchema), is: orNull(receiptSchema) }),
    snapshot: orNull(
      z.object({
        table: z.string(),
        snapshot_id: z.int(),
        committed_at: instant,
        same_data: sameAtLoad.meta({ description: 'Whether that load has the data of the receipt' }),
        same_result: sameAtLoad.meta({
          description: 'Whether this engine computes the result of the receipt from them. Null: not computed',
        }),
      }),
    )
      .optional()
      .meta({ description: 'Snapshot of the Iceberg table with the bars of the receipt; null: none is kept' }),
    bars: differences(
      z.object({ symbol: ofPortfolio, date: day, was: past(revisedBarSchema), is: orNull(revisedBarSchema) }),
    ),
    events: differences(
      z.object({
        symbol: ofPortfolio,
        ex_date: z.string(),
        was: past(revisedEventSchema),
        is: orNull(revisedEventSchema),
      }),
    ),
    metrics: z.array(z.object({ name: z.string(), was: z.number().nullable(), is: z.number().nullable() })),
  })
  .meta({ id: 'Verification' });
