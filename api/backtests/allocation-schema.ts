/** The rules of a portfolio in answers. */
import { z } from '../http/input/fields.ts';

/** How a portfolio shares its money out. */
export const allocationSchema = z.object({
  max_positions: z.int(),
  sizing: z.string(),
  volatility_period: z.int(),
  rank_by: z.object({ field: z.string(), period: z.int().nullable(), order: z.string() }).nullable(),
  rebalance: z.string(),
  cash_buffer_pct: z.number(),
});

/** The fields of a portfolio's search that take the place of one instrument. */
export const searchedPortfolio = {
  symbols: z.array(z.string()).optional(),
  allocation: allocationSchema.optional(),
  benchmark: z.string().optional(),
};
