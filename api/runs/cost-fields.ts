/** The costs of trading, the interest on cash, and the risk-free rate, in requests and answers. */
import type { NamedRates } from '../../jobs/contracts/backtest.ts';
import { z } from '../http/input/fields.ts';

const columnName = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/);
/** Percent a year. */
const RATE = { min: -20, max: 100 } as const;
/** Basis points that a bank keeps of a rate of the market. */
const USUAL_SPREAD = 50;

export const costFields = {
  cost: z
    .strictObject({
      commission_rate: z.number().min(0).max(0.5).default(0),
      min_commission: z.number().min(0).max(100_000).default(0),
      slippage_bps: z.number().min(0).max(5_000).default(0),
    })
    .meta({ id: 'Cost', description: 'Default: no costs, with the note `no_cost_model`' })
    .optional(),
  risk_free: columnName.optional().meta({
    description:
      'The market column of the risk-free rate, in percent a year, which the ratios of the tear sheet and `skill` are above. ' +
      'Default: the rate of `cash`, or 0',
  }),
  cash: z
    .strictObject({
      rate: z.union([z.number().min(RATE.min).max(RATE.max), columnName]).meta({
        description: 'Percent a year, or the name of a market column',
      }),
      spread_bps: z
        .number()
        .min(0)
        .max(10_000)
        .optional()
        .meta({
          description: `Basis points below the rate. Default: ${USUAL_SPREAD} of a column, else 0`,
        }),
    })
    .optional()
    .meta({ id: 'CashRate', description: 'What cash held overnight earns. Default: nothing' }),
};

export type GivenCosts = z.output<z.ZodObject<typeof costFields>>;

/** The rates of a specification. The columns that they name are looked up later. */
export function ratesOf({ risk_free, cash }: Pick<GivenCosts, 'risk_free' | 'cash'>): NamedRates {
  const named = risk_free === undefined ? {} : { riskFree: risk_free };
  if (cash === undefined) return named;
  const { rate, spread_bps = typeof rate === 'string' ? USUAL_SPREAD : 0 } = cash;
  return { ...named, cash: { rate, spreadBps: spread_bps } };
}

export const interestSchema = z
  .union([z.object({ money: z.number(), pct_per_year: z.number().nullable() }), z.null()])
  .meta({
    id: 'Interest',
    description: 'What the cash earned, in money and of the mean equity a year; null without `cash`',
  });

/** The fields of a result. */
export const ratesAnswer = {
  risk_free: z.string().optional().meta({ description: 'The column that was named' }),
  cash: z.object({ rate: z.union([z.number(), z.string()]), spread_bps: z.number() }).optional(),
  interest: interestSchema.optional(),
};
