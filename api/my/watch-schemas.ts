/** Watches and signals, in requests and answers. */
import { EXIT_REASONS } from '../../engine/backtest/execution.ts';
import { MAX_WATCHED } from '../../jobs/contracts/signals.ts';
import { strategyName } from '../backtests/request.ts';
import { idNumber, instant, symbolField, text, z } from '../http/input/fields.ts';
import { whereField } from '../rules/fields.ts';

const parameter = z.union([z.number(), z.string().max(64), z.boolean()]);
const assetType = z.string().regex(/^[a-z_]{1,32}$/);

const screenField = z
  .strictObject({
    where: whereField,
    asset_type: z
      .union([assetType, z.array(assetType).min(1).max(20)])
      .optional()
      .meta({ description: 'Default: stock and etf' }),
  })
  .meta({
    description: `The first ${MAX_WATCHED} instruments, by symbol, for which the condition holds at the session`,
  });

const watchName = text(1, 100).meta({ description: 'Unique in the account', example: 'Breakouts' });
const mailField = z.boolean().meta({ description: 'Whether its signals are in the daily mail' });

export const watchBody = z.strictObject({
  name: watchName,
  strategy: strategyName.meta({ description: '`rules` with `rules`, or a built-in strategy' }),
  rules: z
    .strictObject({ saved: idNumber, version: z.int().min(1).optional() })
    .optional()
    .meta({ description: 'A strategy of `/v1/my/strategies`; without `version`, always the newest' }),
  params: z.record(z.string().max(64), z.unknown()).optional(),
  symbols: z.array(symbolField).min(1).max(MAX_WATCHED).optional().meta({ description: 'Either these or `screen`' }),
  screen: screenField.optional(),
  mail: mailField.default(false),
});

export const WATCH_EXAMPLE: z.input<typeof watchBody> = {
  name: 'Crossovers',
  strategy: 'sma_cross',
  params: { fast_period: 10, slow_period: 30 },
  symbols: ['ACRX.US', 'BRVA.US'],
  mail: true,
};

export const watchChangeBody = z.strictObject({ name: watchName.optional(), mail: mailField.optional() });

export const watchSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    strategy: z.string(),
    rules: z.object({ saved: z.int(), version: z.int().optional() }).optional(),
    params: z.record(z.string(), parameter),
    symbols: z.array(z.string()).optional(),
    screen: z.object({ where: z.string(), asset_type: z.array(z.string()) }).optional(),
    mail: z.boolean(),
    created_at: instant,
  })
  .meta({ id: 'Watch' });

export const signalSchema = z
  .object({
    watch: z.object({ id: z.int(), name: z.string() }),
    symbol: z.string(),
    date: z.iso.date(),
    kind: z.enum(['entry', 'exit']),
    reason: z.enum(EXIT_REASONS).meta({ description: 'Of an exit; `signal` for an entry' }),
    close: z.number(),
    values: z
      .record(z.string(), z.number().nullable())
      .meta({ description: 'The values that the rule compares, by their text; null where one is undefined' }),
    corrected: z
      .boolean()
      .meta({ description: 'The session was evaluated before, over other data, with other signals' }),
  })
  .meta({ id: 'Signal' });
