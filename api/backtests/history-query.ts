/** The query of the backtest history. */
import { localeField, momentFilter, queryInteger, symbolField, z } from '../http/input/fields.ts';
import { strategyName } from './request.ts';
import { HISTORY_KINDS } from './schemas.ts';

export const historyQuery = z.object({
  symbol: symbolField.optional().openapi({ description: 'Only backtests of this symbol' }),
  strategy: strategyName.optional().openapi({ description: 'Only backtests of this strategy' }),
  kind: z.enum(HISTORY_KINDS).default('backtest').openapi({ description: 'The kind of results to list' }),
  start: momentFilter('from').optional().openapi({ description: 'Created at or after; a date or an ISO time' }),
  end: momentFilter('to')
    .optional()
    .openapi({ description: 'Created at or before; a date includes the whole day (UTC)' }),
  page: queryInteger(1, 1_000_000).default(1).openapi({ description: 'The page; the first is 1' }),
  page_size: queryInteger(1, 100).default(20).openapi({ description: 'Items per page' }),
  locale: localeField,
});
