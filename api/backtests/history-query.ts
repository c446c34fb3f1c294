/** The query of the backtest history. */
import { localeField, momentFilter, queryInteger, symbolField, z } from '../http/input/fields.ts';
import { strategyWord } from './request.ts';
import { HISTORY_KINDS } from './schemas.ts';

export const historyQuery = z.object({
  symbol: symbolField.optional().meta({ description: 'Only backtests of this symbol' }),
  strategy: strategyWord.optional().meta({ description: 'Only backtests of this strategy' }),
  kind: z.enum(HISTORY_KINDS).default('backtest').meta({ description: 'The kind of results to list' }),
  start: momentFilter('from').optional().meta({ description: 'Created at or after; a date or an ISO time' }),
  end: momentFilter('to').optional().meta({ description: 'Created at or before; a date includes the whole day (UTC)' }),
  page: queryInteger(1, 1_000_000).prefault(1).meta({ description: 'The page; the first is 1' }),
  page_size: queryInteger(1, 100).prefault(20).meta({ description: 'Items per page' }),
  locale: localeField,
});
