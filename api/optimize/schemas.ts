/** Responses of optimizations. */
import { z } from '../http/input/fields.ts';
import { searchedPortfolio } from '../portfolios/schemas.ts';
import { rulesTextsField, savedStrategySchema } from '../rules/fields.ts';
import {
  bareStatisticsSchema,
  receiptSchema,
  searchSelectionSchema,
  searchStatisticsSchema,
} from '../runs/evidence-schemas.ts';
import {
  dataRangeSchema,
  equitySchema,
  figure,
  listedFigures,
  noteSchema,
  otherFigures,
  parameterSchema,
  paramsSchema,
  runStateFields,
  skippedField,
} from '../runs/schemas.ts';
import { tearSheetSchema } from '../runs/tear-sheet-schema.ts';

const day = z.iso.date();

const axisSchema = z.object({ param: z.string(), values: z.array(parameterSchema) });
export const optimizeResultSchema = z
  .object({
    symbol: z.string().optional().meta({ description: 'Absent in searches on `symbols`' }),
    ...searchedPortfolio,
    skipped_symbols: skippedField,
    screened_on: day.optional().meta({ description: 'The session of the `screen`' }),
    strategy: z.string(),
    rules: rulesTextsField.optional().meta({ description: 'Of the strategy `rules`' }),
    saved: savedStrategySchema.optional(),
    objective: z.string(),
    start_date: day,
    end_date: day,
    bars: z.int(),
    data_range: dataRangeSchema,
    notes: z.array(noteSchema),
    combinations: z.int(),
    statistics: searchStatisticsSchema.optional(),
    selection: searchSelectionSchema.optional(),
    receipt: receiptSchema.optional(),
    best: z
      .array(z.object({ params: paramsSchema, metrics: z.record(z.string(), figure) }))
      .meta({ description: 'The best 50, best first' }),
    heatmap: z
      .object({ x: axisSchema, y: axisSchema, cells: z.array(z.array(figure)) })
      .nullable()
      .meta({ description: '`cells[row of y][column of x]`: the best objective over all other parameters' }),
    walk_forward: z
      .object({
        ...listedFigures,
        ...otherFigures,
        efficiency: figure.meta({
          description:
            'Mean annualized return of the test windows ÷ that of the training windows. Null when the latter is not positive',
        }),
        windows: z.array(
          z.object({
            train_start: day,
            train_end: day,
            test_start: day,
            test_end: day,
            params: paramsSchema,
            train_objective: figure,
            test_pnl_pct: z.number(),
          }),
        ),
        equity: z.array(equitySchema),
        statistics: bareStatisticsSchema.optional().meta({ description: 'Of all tests as one run' }),
        tear_sheet: tearSheetSchema.optional().meta({ description: 'Only if the request asked for it' }),
      })
      .nullable()
      .meta({
        description:
          'Each test window starts flat, with the capital at the end of the previous one. Dates and figures cover ' +
          'all test windows as one run.',
      }),
  })
  .meta({ id: 'OptimizeResult' });

export const optimizeStateSchema = z.object({
  ...runStateFields,
  progress_pct: z.number().min(0).max(100),
  result: z.union([optimizeResultSchema, z.null()]),
});
