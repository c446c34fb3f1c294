/** Checks the body of a portfolio and makes a specification of it. */
import { EQUAL_WEIGHT } from '../../engine/portfolio/benchmark.ts';
import { REBALANCE_PERIODS } from '../../engine/portfolio/clock.ts';
import { CASH_BUFFER_RANGE, MAX_POSITIONS_RANGE, SIZINGS } from '../../engine/portfolio/portfolio.ts';
import { requireField } from '../../engine/screener/fields.ts';
import { PERIOD_RANGE } from '../../engine/screener/running-means.ts';
import type { SpecInstrument } from '../../jobs/contracts/backtest.ts';
import { MAX_PORTFOLIO_SYMBOLS, type PortfolioSpec } from '../../jobs/contracts/portfolio.ts';
import {
  DEFAULT_STRATEGY,
  flatBody,
  located,
  runFields,
  type TradingSpec,
  tradingSpecOf,
} from '../backtests/request.ts';
import { symbolField, z } from '../http/input/fields.ts';
import { refuse, ValidationFailure } from '../http/input/request-failure.ts';
import { findInstrument } from '../market/directory.ts';
import type { MarketView } from '../market/market-view.ts';
import type { OwnResearch } from '../rules/resolve.ts';
import { factorsField, OWN_BENCHMARKS, specInstrument, tearSheetField } from '../runs/comparison.ts';
import { fieldName, screenField } from '../screener/request.ts';
import { cashBufferField, rotationField, universeField } from './rotation-fields.ts';
import { compareField, targetFields } from './target-fields.ts';
import type { Universe } from './universe.ts';

const period = z.int().min(PERIOD_RANGE.min).max(PERIOD_RANGE.max);

const rankBy = z
  .strictObject({
    field: fieldName,
    period: period.optional().meta({ description: "Default: the field's; refused for a field that has none" }),
    order: z.enum(['asc', 'desc']).default('desc'),
  })
  .optional()
  .meta({
    description:
      'The order in which candidates get free positions: by a field of the screener on the bars of the run, rounded to 6 decimals; ' +
      'undefined values come last, equal ones are ordered by symbol. Default: by symbol',
  });

const allocationShape = z
  .strictObject({
    max_positions: z.int().min(MAX_POSITIONS_RANGE.min).max(MAX_POSITIONS_RANGE.max).default(10),
    sizing: z.enum(SIZINGS).default('equal').meta({
      description:
        '`equal`: 1 / max_positions of the equity; `inverse_volatility`: by 1 / volatility, 2 / max_positions at most',
    }),
    volatility_period: period.default(63),
    rank_by: rankBy,
    rebalance: z.enum(REBALANCE_PERIODS).default('none').meta({
      description:
        'Brings positions that deviate by 5% or more back to their targets, on the last session of each period',
    }),
    cash_buffer_pct: z.number().min(CASH_BUFFER_RANGE.min).max(CASH_BUFFER_RANGE.max).default(0),
  })
  .meta({ id: 'Allocation' });

const { max_positions, sizing, volatility_period, rank_by, cash_buffer_pct } = allocationShape.shape;

/** The allocation of a portfolio of either form: which fields go together is checked with the body. */
const anyAllocation = z
  .strictObject({
    max_positions: max_positions.unwrap().optional().meta({ default: 10 }),
    sizing: sizing.unwrap().optional().meta({ default: 'equal' }),
    volatility_period: volatility_period.unwrap().optional().meta({ default: 63 }),
    rank_by,
    cash_buffer_pct: cash_buffer_pct.unwrap().optional().meta({ default: 0 }),
    ...targetFields,
  })
  .meta({ id: 'PortfolioAllocation' });

const symbolsField = z
  .array(symbolField)
  .min(1)
  .max(MAX_PORTFOLIO_SYMBOLS)
  .meta({ description: 'A repeated symbol counts once; the plan limits their number' });

const benchmarkField = z
  .union([z.enum(OWN_BENCHMARKS), symbolField])
  .default(EQUAL_WEIGHT)
  .meta({
    description:
      '`equal_weight` or `buy_hold`: equal amounts in all instruments that have a bar on the first session; or the symbol of one ' +
      'instrument. Bought once, without costs',
  });

const skipUnknownField = z
  .boolean()
  .default(false)
  .meta({ description: 'Whether to skip symbols that are not found, instead of refusing them' });

const { strategy, rules, time_range, start, end, params, execute_on, adjust, cost, risk_free, cash, venue_mode } =
  flatBody.shape;
const { include_trades, include_equity, include_statistics, save } = flatBody.shape;

const screenOfBody = screenField.optional().meta({
  description: 'Instead of `symbols`: what the screen finds at the last session before the range. Not with `MAX`',
});

export const portfolioBody = z.strictObject({
  universe: universeField.optional().meta({ description: 'With `rotation`' }),
  rotation: rotationField.optional().meta({
    description:
      'Holds the best of a universe and looks again on a schedule; instead of `strategy`, `rules`, `symbols`, `screen`, and `allocation`',
  }),
  cash_buffer_pct: cashBufferField.optional().meta({ description: 'With `rotation`. Default: 0' }),
  survivors: z.boolean().optional().meta({
    description: 'With `rotation`: whether to run it again on those that have a bar on the last session',
  }),
  symbols: symbolsField.optional(),
  screen: screenOfBody,
  skip_unknown: skipUnknownField.unwrap().optional(),
  strategy: strategy.unwrap().optional(),
  rules,
  time_range,
  start,
  end,
  params,
  execute_on: execute_on.unwrap().optional().meta({ description: 'Default: `close`; of a rotation `next_open`' }),
  adjust,
  cost,
  risk_free,
  cash,
  venue_mode,
  allocation: anyAllocation.optional(),
  compare: compareField.optional(),
  benchmark: benchmarkField,
  tear_sheet: tearSheetField,
  factors: factorsField,
  include_trades,
  include_equity: include_equity.meta({ description: 'Equity by session, and the positions with it' }),
  include_statistics,
  save,
});
export type PortfolioBody = z.output<typeof portfolioBody>;

/** Fields for a portfolio in a body that also takes a single instrument. */
export const portfolioFields = {
  symbols: symbolsField.optional(),
  screen: screenOfBody,
  skip_unknown: skipUnknownField,
  allocation: allocationShape.optional(),
  benchmark: benchmarkField.unwrap().optional(),
};

/** A portfolio of the sample market. */
export const PORTFOLIO_EXAMPLE: z.input<typeof portfolioBody> = {
  symbols: ['ACRX.US', 'BRVA.US', 'LUMA.US', 'TMRK.US'],
  strategy: 'donchian',
  time_range: '1Y',
  allocation: { max_positions: 2, rank_by: { field: 'roc_pct', period: 60 }, rebalance: 'month' },
  cost: { commission_rate: 0.0005, slippage_bps: 5 },
};

type GivenAllocation = z.output<typeof allocationShape>;

/** How capital is allocated. Throws if the ranking has a period that its field does not take. */
function allocationOf(given: GivenAllocation, at: readonly string[]): PortfolioSpec['allocation'] {
  const { rank_by } = given;
  return {
    maxPositions: given.max_positions,
    sizing: given.sizing,
    volatilityPeriod: given.volatility_period,
    rankBy: rank_by ? { field: rank_by.field, period: rankPeriod(rank_by, at), order: rank_by.order } : null,
    rebalance: given.rebalance,
    cashBufferPct: given.cash_buffer_pct,
  };
}

function rankPeriod(
  { field, period: given }: { readonly field: string; readonly period?: number },
  at: readonly string[],
): number | null {
  const defaultPeriod = requireField(field).defaultPeriod;
  if (defaultPeriod !== null) return given ?? defaultPeriod;
  if (given === undefined) return null;
  const problem = { code: 'no_period', details: { field } } as const;
  throw new ValidationFailure([{ loc: [...at, 'rank_by', 'period'], type: 'parameter', problem }]);
}

export function benchmarkOf(given: string, { directory }: MarketView): SpecInstrument | null {
  return OWN_BENCHMARKS.some((own) => own === given) ? null : specInstrument(findInstrument(directory, given));
}

/** The specification of a body: checks the parameters and fills in defaults. `own`: the saved strategy that its rules name. */
export function portfolioSpecOf(
  body: PortfolioBody,
  market: MarketView,
  own: OwnResearch,
  universe: Universe,
): PortfolioSpec {
  const trading = tradingSpecOf(
    {
      ...runFields(body),
      strategy: body.strategy ?? DEFAULT_STRATEGY,
      rules: body.rules,
      params: located(body.params, ['body', 'params']),
      peers: 'peers',
    },
    market,
    own,
  );
  const { allocation, benchmark } = body;
  const given = { allocation: allocation && strategyAllocation(allocation), benchmark };
  return withInstruments({ ...trading, includeStatistics: body.include_statistics }, universe, given, market);
}

/** The allocation of a strategy with its defaults. Throws for what only target weights take. */
function strategyAllocation({
  targets: _,
  flows,
  rebalance,
  ...given
}: z.output<typeof anyAllocation>): GivenAllocation {
  const refuseAt = (name: string) =>
    refuse(['body', 'allocation', name], { code: 'only_with', details: { name: 'allocation.targets' } });
  if (flows !== undefined) refuseAt('flows');
  const period = REBALANCE_PERIODS.find((one) => one === rebalance);
  if (rebalance !== undefined && period === undefined) refuseAt('rebalance');
  return allocationShape.parse({ ...given, rebalance: period });
}

interface GivenPortfolio {
  readonly allocation?: GivenAllocation;
  readonly benchmark?: string;
}

/** A specification with the instruments of a universe, and how capital is allocated to them. */
export function withInstruments(
  trading: TradingSpec & Pick<PortfolioSpec, 'includeStatistics'>,
  { items, screenedOn, skipped }: Universe,
  { allocation, benchmark }: GivenPortfolio,
  market: MarketView,
): PortfolioSpec {
  return {
    ...trading,
    instruments: items.map(specInstrument),
    allocation: allocationOf(allocation ?? allocationShape.parse({}), ['body', 'allocation']),
    benchmark: benchmarkOf(benchmark ?? EQUAL_WEIGHT, market),
    isPointInTime: screenedOn !== null,
    screenedOn,
    skipped,
  };
}
