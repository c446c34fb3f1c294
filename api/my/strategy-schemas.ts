/** Strategies that accounts write, in requests and answers. */
import { MAX_PARAMETER_NAME } from '../../engine/rules/parameter-uses.ts';
import { instant, text, z } from '../http/input/fields.ts';
import { rulesTextsField } from '../rules/fields.ts';

/** Strategies that an account may have. */
export const MAX_STRATEGIES = 100;

const MAX_VALUE = 1e15;
const value = z.number().min(-MAX_VALUE).max(MAX_VALUE);

const parameterField = z
  .strictObject({
    default: value,
    min: value.optional(),
    max: value.optional(),
  })
  .meta({ id: 'SavedParameter', description: 'Its value where a run gives none, and the range that a run may give' });

export const strategyBody = z.strictObject({
  name: text(1, 100).meta({ description: 'Unique in the account', example: 'Breakout on volume' }),
  description: z.string().trim().max(2_000).default('').meta({ example: 'New highs on twice the usual volume' }),
  rules: rulesTextsField,
  parameters: z
    .record(z.string().max(MAX_PARAMETER_NAME), parameterField)
    .default({})
    .meta({ description: 'Of the `$names` in the rules. One that is left out must be given by every run' }),
});

export const STRATEGY_EXAMPLE: z.input<typeof strategyBody> = {
  name: 'Breakout on volume',
  description: 'New highs on twice the usual volume',
  rules: { entry: 'close > highest($n) and volume > 2 * sma_of(volume, 50)', exit: 'close < lowest(20)' },
  parameters: { n: { default: 55, min: 20, max: 252 } },
};

export const strategySchema = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    rules: rulesTextsField,
    parameters: z.record(z.string(), parameterField),
    version: z.int().min(1),
    shared: z.boolean(),
    slug: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'OwnStrategy' });

export const strategyDetailSchema = strategySchema
  .extend({
    versions: z
      .array(z.object({ version: z.int().min(1), created_at: instant }))
      .meta({ description: 'All of them, newest first' }),
  })
  .meta({ id: 'OwnStrategyDetail' });

export const sharedStrategySchema = strategySchema
  .omit({ id: true, shared: true, created_at: true })
  .meta({ id: 'SharedStrategy' });
