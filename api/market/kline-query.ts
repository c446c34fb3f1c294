/** The query of candles, and of what is drawn over them. */
import { adjustField, dateField, periodField, queryInteger, z } from '../http/input/fields.ts';

export const MAX_BARS = 10_000;
export const DEFAULT_BARS = 250;

export const klineQuery = z.object({
  period: periodField.prefault('day').meta({ description: 'The period of a bar' }),
  start: dateField.optional().meta({ description: 'The first day. Overrides `days`' }),
  end: dateField
    .optional()
    .meta({ description: 'The last day. Later days are clamped to the newest distributable day' }),
  days: queryInteger(1, MAX_BARS).prefault(DEFAULT_BARS).meta({
    description: 'How many of the newest bars to return, in units of the period. `start` overrides it',
    example: 5,
  }),
  adjust: adjustField.prefault('none').meta({
    description:
      '`qfq`, or `split`, adjusts bars before a split, reverse split, or stock dividend to the share count of the newest bar; `total` ' +
      'reinvests cash dividends and spin-offs at their ex-date too',
  }),
});
