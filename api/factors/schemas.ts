/** Responses of factor studies. */
import { z } from '../http/input/fields.ts';
import { figure, noteSchema, skippedField } from '../runs/schemas.ts';
import { workFields } from '../sweeps/schemas.ts';
import type { factorsBody } from './request.ts';

const day = z.iso.date();

export const studySchema = z
  .object({
    ...workFields,
    factors: z.array(z.string()).meta({ description: 'Names' }),
    time_range: z.string().meta({ description: '`CUSTOM` when `start` was given' }),
    skipped_symbols: skippedField,
  })
  .meta({ id: 'FactorStudy' });

export const readStudySchema = studySchema
  .extend({
    request: z.custom<z.input<typeof factorsBody> | null>().meta({
      description: 'The body that repeats it',
      override: { anyOf: [{ $ref: '#/components/schemas/RunFactorStudyRequest' }, { type: 'null' }] },
    }),
  })
  .meta({ id: 'ReadFactorStudy' });

const seriesFigures = {
  sessions: z.int(),
  mean: figure,
  sd: figure,
  t: figure.meta({ description: 'As if horizons did not overlap' }),
  t_overlap: figure.meta({ description: 'With the covariances of overlapping horizons (Hansen & Hodrick 1980)' }),
};

const horizonSchema = z.object({
  horizon: z.union([z.int(), z.literal('step')]),
  ic: z
    .object({
      ...seriesFigures,
      positive_share: figure,
      by_year: z.array(z.object({ year: z.int(), sessions: z.int(), mean: figure })),
      series: z.array(z.object({ ts: day, ic: figure })).optional(),
    })
    .meta({
      description: 'Information coefficient: the rank correlation of values and forward returns at each session',
    }),
  quantiles: z
    .array(z.object({ quantile: z.int(), sessions: z.int(), mean: figure, se: figure }))
    .meta({ description: 'Mean forward returns less the mean of the group, 1 has the smallest values' }),
  spread: z.object({
    ...seriesFigures,
    series: z
      .array(z.object({ ts: day, spread: figure, cumulated: figure }))
      .optional()
      .meta({
        description: '`cumulated` is a running sum, which nobody could earn where a horizon is longer than a step',
      }),
  }),
});

export const longShortMonthSchema = z
  .object({ month: z.string(), ls: figure, long: figure, short: figure, names: z.array(z.int()).readonly() })
  .meta({ id: 'LongShortMonth' });

const portfolioSchema = z
  .object({
    formations: z.int(),
    undefined: z.int().meta({ description: 'Formations without two sides of ten names' }),
    months: z.int(),
    mean: figure,
    sd: figure,
    t: figure,
    t_nw: figure.meta({ description: 'With the errors of Newey and West' }),
    lag: z.int(),
    interval: z.array(figure).nullable().meta({ description: 'Of the mean, 90 %' }),
    turnover: figure.meta({ description: 'A month, both sides added' }),
    break_even: figure.meta({ description: 'Cost of one exchange, a sale and a purchase, that leaves nothing' }),
    series: z.array(longShortMonthSchema),
  })
  .meta({ id: 'LongShort', description: 'Long the highest class and short of the lowest, monthly, gross of costs' });

export const studyResultSchema = z
  .object({
    notes: z.array(noteSchema),
    id: z.uuid(),
    engine_version: z.string(),
    sessions: z.int().meta({ description: 'That are looked at' }),
    first: day,
    last: day,
    clock: z.int().meta({ description: 'All sessions of the range' }),
    instruments: z.int(),
    ended: z.int().meta({ description: 'Delisted before the last session' }),
    series_in_file: z
      .boolean()
      .meta({ description: 'Whether the series are too long for here: `series.parquet` has them' }),
    factors: z.array(
      z.object({
        name: z.string(),
        value: z.string(),
        coverage: z.object({ mean_names: figure, mean_share: figure }),
        rank_autocorrelation: figure,
        turnover: z.array(figure).meta({ description: 'Share of new names, by quantile' }),
        top: z.array(z.object({ symbol: z.string(), value: figure })),
        horizons: z.array(horizonSchema),
        portfolio: portfolioSchema.optional(),
      }),
    ),
    correlations: z.array(z.object({ a: z.string(), b: z.string(), months: z.int(), mean: figure })),
    selection: z
      .object({
        trials: z.int().meta({ description: 'Factors that the account has studied' }),
        emax: figure,
        hurdle: figure,
        dsr: figure,
        spa: z
          .object({ block_length: figure, statistic: figure, lower: figure, consistent: figure, upper: figure })
          .nullable(),
        seed: z.string(),
        best: z.string().nullable(),
        sessions: z.int(),
      })
      .meta({ description: 'The choice of the best: null below 60 sessions that do not overlap' }),
  })
  .meta({ id: 'FactorStudyResult' });
