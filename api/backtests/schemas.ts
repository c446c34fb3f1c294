/** Responses of backtests. */
import { TIME_RANGES } from '../../engine/market/time-range.ts';
import { instant, z } from '../http/input/fields.ts';
import { revisedSchema } from '../market/impact-view.ts';
import { rulesTextsField, savedStrategySchema } from '../rules/fields.ts';
import { ratesAnswer } from '../runs/cost-fields.ts';
import {
  lastVerdictSchema,
  lookAheadSchema,
  receiptSchema,
  selectionSchema,
  statisticsSchema,
} from '../runs/evidence-schemas.ts';
import {
  dataRangeSchema,
  equitySchema,
  identification,
  listedFigures,
  noteSchema,
  otherFigures,
  paramsSchema,
  runCostSchema,
  stateOf,
  tradeSchema,
  truncatedField,
  usedColumnsSchema,
} from '../runs/schemas.ts';
import { tearSheetSchema } from '../runs/tear-sheet-schema.ts';

const day = z.iso.date();

const barSchema = z.object({
  ts: day,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
});

export const resultSchema = z
  .object({
    id: z.int().nullable().meta({ description: 'Null when the result is not kept' }),
    created_at: instant,
    ...identification,
    rules: rulesTextsField.optional().meta({ description: 'Of the strategy `rules`' }),
    saved: savedStrategySchema.optional(),
    venue_mode: z.string(),
    adjust: z.string(),
    ...listedFigures,
    ...otherFigures,
    params: paramsSchema,
    columns: usedColumnsSchema,
    cost: runCostSchema,
    ...ratesAnswer,
    data_range: dataRangeSchema,
    data_freshness: z.object({ distribution_mode: z.string(), as_of: day.nullable(), delayed: z.boolean() }),
    notes: z.array(noteSchema),
    statistics: statisticsSchema.optional(),
    selection: selectionSchema.optional(),
    receipt: receiptSchema.optional().meta({ description: 'Absent in results kept before there were receipts' }),
    verification: lastVerdictSchema.optional(),
    look_ahead: lookAheadSchema.optional(),
    revised: revisedSchema.optional(),
    disclaimer: z.string(),
    cached: z.boolean().meta({ description: 'Whether an earlier run computed the figures over the same data' }),
    trades: z.array(tradeSchema).optional(),
    klines: z.array(barSchema).optional(),
    equity: z.array(equitySchema).optional(),
    tear_sheet: tearSheetSchema
      .optional()
      .meta({ description: 'Only if the request asked for it, and of a shared run if it is kept' }),
    truncated: truncatedField,
  })
  .meta({ id: 'BacktestResult' });

export const jobStateSchema = stateOf(resultSchema).meta({ id: 'GetBacktestJobData' });

const costSchema = z.object({ commission_rate: z.number(), min_commission: z.number(), slippage_bps: z.number() });
export const strategiesSchema = z.object({
  strategies: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      description: z.string(),
      params_schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema 2020-12 with `x-labels`' }),
      look_ahead_proof: z
        .object({ engine_version: z.string(), symbol: z.string(), prefixes: z.int(), proved_at: instant })
        .nullable()
        .meta({ description: 'The newest run of it that was found free of look-ahead on every prefix of the history' }),
      rules: rulesTextsField
        .nullable()
        .meta({ description: 'The same as rules over these parameters, in the default modes' }),
    }),
  ),
  time_ranges: z.array(z.enum(TIME_RANGES)),
  execute_on: z.array(z.string()),
  defaults: z.object({
    strategy: z.string(),
    time_range: z.string(),
    execute_on: z.string(),
    adjust: z.string(),
    initial_capital: z.number(),
    cost: costSchema,
  }),
});
