/** Responses on records that are judged. */
import { JUDGE_NOTES } from '../../engine/judge/doubts.ts';
import { FREQUENCIES } from '../../engine/judge/frequency.ts';
import { RECORD_FORMS } from '../../engine/judge/streams.ts';
import { keysOf } from '../../engine/util/values.ts';
import { columnResultSchema } from '../../jobs/contracts/columns.ts';
import { z } from '../http/input/fields.ts';
import { bareStatisticsSchema, searchSelectionSchema, searchStatisticsSchema } from '../runs/evidence-schemas.ts';
import { figure } from '../runs/schemas.ts';
import { tearSheetSchema } from '../runs/tear-sheet-schema.ts';

const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, z.null()]);
const day = z.iso.date();
const probability = z.number().min(0).max(1).nullable();

const sheet = tearSheetSchema.shape;
const inTime = sheet.time.shape;
const ofPeriod = { run_pct: z.number(), benchmark_pct: figure };

const recordSheetSchema = z
  .object({
    sessions: z.int().meta({ description: 'Periods' }),
    start_date: day,
    end_date: day,
    series: z
      .array(z.object({ ts: day, run: z.number(), benchmark: figure, risk_free: z.number().optional() }))
      .nullable()
      .meta({ description: 'Null, like `time`, for streams that have figures only' }),
    returns: sheet.returns,
    benchmark: orNull(sheet.benchmark),
    regression: z.null(),
    interest: z.null(),
    time: orNull(
      z.object({
        months: z.array(z.object({ month: z.string(), ...ofPeriod })),
        years: z.array(z.object({ year: z.int(), ...ofPeriod })),
        rolling: inTime.rolling,
        drawdowns: inTime.drawdowns,
        underwater: inTime.underwater,
        exposure_pct: z.null(),
        avg_positions: z.null(),
        turnover_pct: z.null(),
        costs: z.null(),
        concentration: z.null(),
      }),
    ),
    trades: orNull(sheet.trades).meta({ description: 'Of trades with `entry_date` and `pnl_pct`, at most 100,000' }),
    chance: sheet.chance,
    verdict: sheet.verdict,
  })
  .meta({ id: 'RecordSheet', description: 'As `TearSheet`; what needs positions is null' });

const { trials, emax, min_backtest_years, hurdle, dsr, skill } = searchSelectionSchema.shape;
const { pbo, pbo_distribution, spa, step_m, haircut } = searchStatisticsSchema.shape;

const streamSchema = z
  .object({
    name: z.string(),
    first: day,
    last: day,
    frequency: z.enum(FREQUENCIES),
    periods: z.int(),
    missing: z.int().meta({ description: 'Periods from the first to the last without a value' }),
    tear_sheet: recordSheetSchema,
    statistics: bareStatisticsSchema,
    serial: z
      .object({
        rho: figure.meta({ description: 'First autocorrelation' }),
        psr: probability,
        min_track_record: z.int().nullable().meta({ description: 'Periods' }),
        critical_sharpe: figure.meta({ description: 'Per period, above which a ratio of 0 is rejected at 5%' }),
        power: probability.meta({ description: 'How often a true ratio of `sharpe` a year is found' }),
      })
      .nullable()
      .meta({ description: 'The Sharpe ratio of returns that follow each other; null below 60 periods' }),
  })
  .meta({ id: 'JudgedStream' });

export const judgementSchema = z
  .object({
    form: z.enum(RECORD_FORMS),
    benchmark: z.string().nullable(),
    streams: z.array(streamSchema),
    selection: z
      .object({
        best: z.string().meta({ description: 'By appraisal, or without a benchmark by Sharpe ratio' }),
        periods: z.int().meta({ description: 'That all streams have' }),
        trials: trials.meta({ description: '`trials`, or the streams where these are more' }),
        emax,
        min_backtest_years,
        hurdle: hurdle.optional(),
        dsr: dsr.optional(),
        skill,
      })
      .nullable()
      .meta({ description: 'Null where streams have few periods in common, or other frequencies' }),
    pbo: orNull(z.object({ pbo, ...pbo_distribution.unwrap().shape })),
    spa,
    step_m: step_m
      .unwrap()
      .extend({ superior: z.array(z.string()) })
      .nullable(),
    haircuts: haircut,
    fdr: z
      .object({
        prior: z.number(),
        sharpe: z.number(),
        streams: z.array(z.object({ name: z.string(), fdr: probability })),
      })
      .nullable()
      .meta({
        description: 'Probability of no skill for a ratio as high as observed, under the inputs; null for one stream',
      }),
    notes: z.array(
      z
        .object({
          code: z.enum(keysOf(JUDGE_NOTES)),
          level: z.enum(['info', 'warning']),
          message: z.string(),
          details: z.record(z.string(), z.union([z.number(), z.string()])),
          streams: z.array(z.string()).optional().meta({ description: 'The first 20' }),
        })
        .meta({ id: 'JudgeNote' }),
    ),
    sentences: z.array(z.string()),
    account: columnResultSchema.shape.account,
  })
  .meta({ id: 'Judgement' });
