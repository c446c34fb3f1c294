/** The specification of a sealed run, from the form that its seal has: symbols for ids, and rules as they were written or in their one spelling. */
import { z } from 'zod';
import { requireDay } from '../../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../../engine/market/symbols.ts';
import { EQUAL_WEIGHT } from '../../../engine/portfolio/benchmark.ts';
import { rotationRules } from '../../../engine/rotation/rules.ts';
import { printExpression } from '../../../engine/rules/print.ts';
import { readRules } from '../../../engine/rules/strategy.ts';
import type { Expression } from '../../../engine/rules/syntax.ts';
import { required } from '../../../engine/util/values.ts';
import {
  type BacktestSpec,
  backtestSpecSchema,
  type SpecInstrument,
  usedColumnSchema,
} from '../../../jobs/contracts/backtest.ts';
import { portfolioSpecSchema } from '../../../jobs/contracts/portfolio.ts';
import { ROTATION_STRATEGY, rotationSpecSchema } from '../../../jobs/contracts/rotation.ts';
import { TARGETS_STRATEGY, targetSpecSchema } from '../../../jobs/contracts/targets.ts';
import type { UniverseInstrument } from '../../../jobs/rotation/members.ts';

const { name, sha256, kind, isMarket, dimension, about, dayMeans, staleAfter } = usedColumnSchema.shape;
const columnSchema = z.object({
  name,
  sha256,
  kind,
  market: isMarket,
  dimension,
  about,
  day_means: dayMeans,
  stale_after: staleAfter,
});

/** The fields that sealed specifications of all kinds share. */
const tradingSchema = z.object({
  ...backtestSpecSchema.pick({ strategy: true, params: true, adjust: true }).shape,
  rules: z.record(z.string(), z.custom<Expression>().nullable()).nullable(),
  columns: z.array(columnSchema).optional(),
  time_range: backtestSpecSchema.shape.timeRange.nullable(),
  start: z.string().nullable(),
  execution: z.object({
    execute_on: backtestSpecSchema.shape.execution.shape.executeOn,
    cost: z.object({ commission_rate: z.number(), min_commission: z.number(), slippage_bps: z.number() }),
    initial_capital: z.number(),
  }),
  cash: z.object({ rate: z.union([z.number(), z.string()]), spread_bps: z.number() }).optional(),
  risk_free: z.string().optional(),
  include_statistics: z.boolean(),
});
const listedSchema = tradingSchema.extend({
  kind: z.literal('portfolio'),
  symbols: z.array(z.string()),
  benchmark: z.string(),
});
const { sizing, rankBy, rebalance } = portfolioSpecSchema.shape.allocation.shape;
const targetAllocation = targetSpecSchema.shape.allocation.shape;
const countSchema = z.union([z.object({ top: z.union([z.int(), z.string()]) }), z.object({ top_pct: z.number() })]);
const rotation = rotationSpecSchema.shape;
const weights = rotation.weights.shape;

const formSchema = z.union([
  tradingSchema.extend({ kind: z.literal('backtest'), symbol: z.string() }),
  listedSchema.extend({
    strategy: z.literal(TARGETS_STRATEGY),
    allocation: z.object({
      targets: targetAllocation.targets,
      rebalance: z.union([z.string(), z.object({ band_pct: z.number() })]),
      flows: targetAllocation.flows.optional(),
    }),
  }),
  listedSchema.extend({
    allocation: z.object({
      max_positions: z.int(),
      sizing,
      volatility_period: z.int(),
      rank_by: rankBy,
      rebalance,
      cash_buffer_pct: z.number(),
    }),
  }),
  tradingSchema.extend({
    kind: z.literal('rotation'),
    strategy: z.literal(ROTATION_STRATEGY),
    universe: z.object({
      symbols: z.array(z.string()).optional(),
      asset_type: z.array(z.string()).optional(),
      where: z.string().optional(),
    }),
    rotation: z.object({
      every: rotation.every,
      offset: rotation.offset,
      order: rotation.order,
      score: z.string(),
      hold: countSchema,
      keep: countSchema.optional(),
      weights: z.object({
        method: weights.method,
        lookback: weights.lookback,
        covariance: weights.covariance,
        max_weight: z.number(),
        min_weight: z.number(),
        fixed: z.record(z.string(), z.number()).optional(),
      }),
      target_volatility_pct: z.number().optional(),
      market_filter: z.string().optional(),
      exits: z
        .object({
          stop_loss_pct: z.number(),
          take_profit_pct: z.number(),
          stop: z.string().optional(),
          trail: z.string().optional(),
        })
        .optional(),
    }),
    cash_buffer_pct: z.number(),
    benchmark: z.string(),
    survivors: z.boolean(),
  }),
]);
export type Form = z.output<typeof formSchema>;
type FormOf<Kind extends Form['kind']> = Form & { readonly kind: Kind };

/** Null: it is of no kind that is known. */
export const readForm = (spec: unknown): Form | null => formSchema.safeParse(spec).data ?? null;

/** By symbol as served. */
type Instruments = ReadonlyMap<string, UniverseInstrument>;

/** Symbols that a form names. */
export function symbolsOf(form: Form): ReadonlySet<string> {
  const benchmark = form.kind === 'backtest' || form.benchmark === EQUAL_WEIGHT ? [] : [form.benchmark];
  const members =
    form.kind === 'backtest' ? [form.symbol] : form.kind === 'portfolio' ? form.symbols : form.universe.symbols;
  return new Set([...(members ?? []), ...benchmark, ...tickersOf(form).map(qualifiedSymbol)]);
}

/** Whether the universe of a form has an instrument that it does not name. */
export function isMember(form: Form, { assetType }: UniverseInstrument): boolean {
  if (form.kind !== 'rotation' || form.universe.symbols !== undefined) return false;
  return form.universe.asset_type?.includes(assetType) ?? true;
}

/** Tickers of other instruments that rules name. */
function tickersOf(form: Form): string[] {
  if (form.kind === 'rotation') return [...rotationRules(textsOf(form)).tickers.keys()];
  const read = form.rules && readRules(textsOfRules(form.rules));
  return read === null || 'problems' in read ? [] : [...read.rules.tickers.keys()];
}

type RuleTexts = NonNullable<BacktestSpec['rules']>;

function textsOfRules(rules: NonNullable<Form['rules']>): RuleTexts {
  const texts = Object.entries(rules).map(([part, rule]) => [part, rule === null ? undefined : printExpression(rule)]);
  return backtestSpecSchema.shape.rules.unwrap().parse(Object.fromEntries(texts));
}

function textsOf({ universe: { where }, rotation: { score, market_filter, exits } }: FormOf<'rotation'>) {
  return { score, where, market_filter, stop: exits?.stop, trail: exits?.trail };
}

/** Facts that a seal does not have, and no figure depends on. */
const UNSAID = { isCostless: false, asOf: 0, dataAsOf: null, distributionMode: '' };
const UNSAID_OF_COLUMN = { owner: 'account', columnId: 0, base: 0, version: 0, unit: null } as const;

/** The part of a specification that all kinds have. */
function tradingOf(form: Form, instruments: Instruments) {
  const { cost, execute_on: executeOn, initial_capital: initialCapital } = form.execution;
  const others = tickersOf(form).map((ticker) => {
    return { ticker, instrumentId: instrumentOf(instruments, qualifiedSymbol(ticker)).instrumentId };
  });
  return {
    ...UNSAID,
    strategy: form.strategy,
    params: form.params,
    adjust: form.adjust,
    rules: form.rules === null ? undefined : textsOfRules(form.rules),
    others: others.length === 0 ? undefined : others,
    columns: form.columns?.map(({ market, day_means, stale_after, ...column }) => {
      return { ...column, ...UNSAID_OF_COLUMN, isMarket: market, dayMeans: day_means, staleAfter: stale_after };
    }),
    timeRange: form.time_range ?? '5Y',
    start: form.start === null ? null : requireDay(form.start),
    end: null,
    execution: {
      executeOn,
      commissionRate: cost.commission_rate,
      minCommission: cost.min_commission,
      slippageBps: cost.slippage_bps,
      initialCapital,
    },
    cash: form.cash && { rate: form.cash.rate, spreadBps: form.cash.spread_bps },
    riskFree: form.risk_free,
    includeStatistics: form.include_statistics,
  };
}

function instrumentOf(instruments: Instruments, symbol: string): SpecInstrument {
  const { id, listedOn, delistedOn } = required(instruments.get(symbol), symbol);
  return { instrumentId: id, symbol, listedOn, delistedOn };
}

/** The fields of a specification of any kind, which its schema reads. All instruments of `symbolsOf` are there. */
export function specOf(form: Form, instruments: Instruments): object {
  const trading = tradingOf(form, instruments);
  if (form.kind === 'backtest') return { ...trading, ...instrumentOf(instruments, form.symbol) };
  const benchmark = form.benchmark === EQUAL_WEIGHT ? null : instrumentOf(instruments, form.benchmark);
  if (form.kind === 'rotation') return { ...trading, ...rotationOf(form, instruments), benchmark };
  const listed = form.symbols.map((symbol) => instrumentOf(instruments, symbol));
  return { ...trading, instruments: listed, allocation: allocationOf(form), benchmark, isPointInTime: false };
}

function allocationOf({ allocation }: FormOf<'portfolio'>): object {
  if ('targets' in allocation) {
    const { targets, rebalance: period, flows = [] } = allocation;
    return { targets, flows, rebalance: typeof period === 'string' ? period : { bandPct: period.band_pct } };
  }
  const { max_positions, volatility_period, rank_by, cash_buffer_pct, ...same } = allocation;
  return {
    ...same,
    maxPositions: max_positions,
    volatilityPeriod: volatility_period,
    rankBy: rank_by,
    cashBufferPct: cash_buffer_pct,
  };
}

const countOf = (count: z.output<typeof countSchema>) => ('top' in count ? count : { topPct: count.top_pct });

function rotationOf(form: FormOf<'rotation'>, instruments: Instruments): object {
  const { every, offset, order, hold, keep, weights: weighed, exits, target_volatility_pct } = form.rotation;
  const { method, lookback, covariance, min_weight: min, max_weight: max, fixed = null } = weighed;
  return {
    universe: {
      instruments: form.universe.symbols?.map((symbol) => instrumentOf(instruments, symbol)) ?? null,
      assetTypes: form.universe.asset_type ?? null,
      skipped: null,
    },
    texts: textsOf(form),
    every,
    offset,
    order,
    hold: countOf(hold),
    keep: keep === undefined ? null : countOf(keep),
    weights: {
      method,
      lookback,
      covariance,
      fixed,
      bounds: { min, max },
      targetVolatilityPct: target_volatility_pct ?? null,
    },
    exits: exits === undefined ? null : { stopLossPct: exits.stop_loss_pct, takeProfitPct: exits.take_profit_pct },
    cashBufferPct: form.cash_buffer_pct,
    survivors: form.survivors,
    membersMax: null,
  };
}
