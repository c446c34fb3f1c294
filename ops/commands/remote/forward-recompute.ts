/** A forward record of one instrument or of a list, computed again on this machine from the tables of a service. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Client } from '../../../api/clients/typescript/index.ts';
import type { SessionEntry } from '../../../engine/forward/record.ts';
import { ADJUSTMENT_KINDS } from '../../../engine/market/adjust.ts';
import { sessionAfter } from '../../../engine/market/calendar.ts';
import { type Day, requireDay } from '../../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, VALUE_COLUMNS } from '../../../engine/market/series.ts';
import { spliceSeries } from '../../../engine/market/venue-basis.ts';
import { EQUAL_WEIGHT } from '../../../engine/portfolio/benchmark.ts';
import { printExpression } from '../../../engine/rules/print.ts';
import { readRules } from '../../../engine/rules/strategy.ts';
import type { Expression } from '../../../engine/rules/syntax.ts';
import { required } from '../../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../../engine/version.ts';
import { BACKTEST } from '../../../jobs/backtest/kind.ts';
import { backtestSpecSchema, rateNames, type SpecInstrument } from '../../../jobs/contracts/backtest.ts';
import { portfolioSpecSchema } from '../../../jobs/contracts/portfolio.ts';
import { NOISE, sessionEntry } from '../../../jobs/forward/append.ts';
import { PORTFOLIO } from '../../../jobs/portfolio/kind.ts';
import type { History } from '../../../jobs/runs/history.ts';
import type { Failed, OpenRun } from '../../../jobs/runs/kind.ts';
import { specDigest } from '../../../jobs/runs/receipt.ts';
import type { Chain } from './forward-chain.ts';

const CENT = 0.015;
const allocationShape = portfolioSpecSchema.shape.allocation.shape;
const COMPARED = ['return', 'positions', 'orders', 'equity'] as const;
type Compared = (typeof COMPARED)[number];

interface Difference {
  readonly session: string;
  readonly figure: Compared;
  readonly told: SessionEntry[Compared];
  readonly now: SessionEntry[Compared];
}

export interface Recomputed {
  readonly sessions: number;
  readonly different: readonly Difference[];
}

/** The fields that sealed specifications of backtests and of portfolios share. */
const tradingSchema = z.object({
  ...backtestSpecSchema.pick({ strategy: true, params: true, adjust: true }).shape,
  rules: z.record(z.string(), z.custom<Expression>().nullable()).nullable(),
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
const formSchema = z.discriminatedUnion('kind', [
  tradingSchema.extend({ kind: z.literal('backtest'), symbol: z.string() }),
  tradingSchema.extend({
    kind: z.literal('portfolio'),
    symbols: z.array(z.string()),
    allocation: z.object({
      max_positions: z.int(),
      sizing: allocationShape.sizing,
      volatility_period: z.int(),
      rank_by: allocationShape.rankBy,
      rebalance: allocationShape.rebalance,
      cash_buffer_pct: z.number(),
    }),
    benchmark: z.string(),
    rules: z.null(),
  }),
]);
type Form = z.output<typeof formSchema>;

/** Facts that a seal does not have, and no figure depends on. */
const UNSAID = { isCostless: false, asOf: 0, dataAsOf: null, distributionMode: '' };

/** The part of a specification that both kinds have. */
function tradingOf(form: Form) {
  const { cost, execute_on: executeOn, initial_capital: initialCapital } = form.execution;
  const textOf = (rule: Expression | null) => (rule === null ? undefined : printExpression(rule));
  const texts = Object.entries(form.rules ?? {}).map(([part, rule]) => [part, textOf(rule)]);
  return {
    ...UNSAID,
    ...form,
    rules: form.rules === null ? undefined : Object.fromEntries(texts),
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

type Tables = Awaited<ReturnType<typeof tablesOf>>;
/** Runs a specification on what was known at the end of a session. */
type RunThrough = (day: Day) => OpenRun | Failed | Promise<OpenRun | Failed>;

async function backtestOf(client: Client, form: Form & { readonly kind: 'backtest' }, isSealed: IsSealed) {
  const { historyAt, ...listing } = await tablesOf(client, form.symbol);
  const spec = backtestSpecSchema.parse({ ...tradingOf(form), ...listing, instrumentId: 0 });
  const rules = spec.rules && readRules(spec.rules);
  if (rules !== undefined && ('problems' in rules || rules.rules.tickers.size > 0)) return null;
  if (!isSealed((version) => BACKTEST.canonical(spec, version)) || rateNames(spec).length > 0) return null;
  return (day: Day) => BACKTEST.goOn({ ...spec, asOf: day, dataAsOf: day }, historyAt(day), sessionAfter(day));
}

async function portfolioOf(client: Client, form: Form & { readonly kind: 'portfolio' }, isSealed: IsSealed) {
  const { max_positions, volatility_period, rank_by, cash_buffer_pct, ...allocation } = form.allocation;
  const named = form.benchmark === EQUAL_WEIGHT ? form.symbols : [...form.symbols, form.benchmark];
  const tables = new Map<string, Tables>();
  for (const symbol of named) tables.set(symbol, await tablesOf(client, symbol));
  const instruments = [...tables].map(([symbol, { listedOn, delistedOn }], instrumentId) => {
    return { symbol, listedOn, delistedOn, instrumentId };
  });
  const spec = portfolioSpecSchema.parse({
    ...tradingOf(form),
    instruments: instruments.filter(({ symbol }) => form.symbols.includes(symbol)),
    allocation: {
      ...allocation,
      maxPositions: max_positions,
      volatilityPeriod: volatility_period,
      rankBy: rank_by,
      cashBufferPct: cash_buffer_pct,
    },
    benchmark: instruments.find(({ symbol }) => symbol === form.benchmark) ?? null,
    isPointInTime: false,
  });
  if (!isSealed((version) => PORTFOLIO.canonical(spec, version)) || rateNames(spec).length > 0) return null;
  const memberAt = (day: Day, { symbol, listedOn, delistedOn }: SpecInstrument) => {
    const history = required(tables.get(symbol)).historyAt(day);
    return { symbol, asOf: day, ...history, lifetime: { listedOn, delistedOn } };
  };
  return (day: Day) => {
    const members = spec.instruments.map((instrument) => memberAt(day, instrument));
    const single = spec.benchmark && memberAt(day, spec.benchmark);
    return PORTFOLIO.goOn(
      { ...spec, asOf: day, dataAsOf: day },
      { members, single, others: undefined },
      sessionAfter(day),
    );
  };
}

/** Whether a specification is the sealed one; own columns are in the digest too. */
type IsSealed = (canonical: (engineVersion: string) => object) => boolean;

/** Null for seals of other kinds, and of runs that read more than the bars and events of their instruments. */
async function runsOf(client: Client, { seal }: Chain): Promise<RunThrough | null> {
  const { data: form } = formSchema.safeParse(seal.spec);
  const isSealed: IsSealed = (canonical) => specDigest(canonical(String(seal.engine_version))) === seal.spec_sha256;
  if (form === undefined) return null;
  return form.kind === 'backtest' ? backtestOf(client, form, isSealed) : portfolioOf(client, form, isSealed);
}

type Cells = Awaited<ReturnType<Client['sql']>>['rows'];

function seriesOf(rows: Cells, venueMode: string): BarSeries {
  const bars = rows.filter(([mode]) => mode === venueMode);
  const series = allocateSeries(bars.length);
  for (const [i, [, day, ...values]] of bars.entries()) {
    series.day[i] = requireDay(String(day));
    for (const [at, name] of VALUE_COLUMNS.entries()) series[name][i] = Number(values[at]);
  }
  return series;
}

/** The bars and events of an instrument, as they were known at the end of a day. */
async function tablesOf({ sql }: Client, symbol: string) {
  const rows = async (query: string) =>
    (await sql({ query: `${query} where symbol = '${symbol.replaceAll("'", "''")}'`, limit: 100_000 })).rows;
  const bars = (await rows(`select venue_mode, date, ${VALUE_COLUMNS.join(', ')} from bars`)).toSorted(byDay);
  const events = (await rows('select kind, ex_date, factor from events')).toSorted(byDay);
  const [[listed, delisted, returnPct, venue] = []] = await rows(
    'select listed_on, delisted_on, delisting_return_pct, primary_venue from symbols',
  );
  const [listedOn, delistedOn] = [listed, delisted].map((day) => (day ? requireDay(String(day)) : null));
  const delisting = { returnPct: typeof returnPct === 'number' ? returnPct : null, venue: String(venue) };
  const [older, newer] = [seriesOf(bars, 'primary_session'), seriesOf(bars, 'consolidated')];
  const known = events.map(([kind, exDay, factor]) => {
    return { kind: z.enum(ADJUSTMENT_KINDS).parse(kind), exDay: requireDay(String(exDay)), factor: Number(factor) };
  });
  const historyAt = (day: Day): History => ({
    series: {
      ...spliceSeries(older, newer, day),
      listedOn: listedOn ?? undefined,
      delisting: delistedOn !== null && delistedOn <= day ? delisting : undefined,
    },
    events: known,
  });
  return { historyAt, listedOn, delistedOn };
}

const byDay = ([, a]: Cells[number], [, b]: Cells[number]) => String(a).localeCompare(String(b));

interface Told {
  readonly entry: SessionEntry;
  /** The equity that was told before it. */
  readonly before: number | null;
  /** The newest return of a session that was revised: only that is compared. */
  readonly revised: number | null;
}

/** The sessions that this engine told. */
function toldBy({ entries }: Chain): Told[] {
  const told = new Map<string, Told>();
  let before: number | null = null;
  for (const { entry } of entries) {
    if (!('kind' in entry)) {
      if (entry.engine_version === ENGINE_VERSION) told.set(entry.session, { entry, before, revised: null });
      before = entry.equity;
      continue;
    }
    const known = told.get(entry.session);
    if (known && typeof entry.after === 'object') told.set(entry.session, { ...known, revised: entry.after.return });
  }
  return [...told.values()];
}

const isSame = (told: SessionEntry, now: SessionEntry, figure: Compared) =>
  figure === 'return' || figure === 'equity'
    ? Math.abs(told[figure] - now[figure]) < (figure === 'return' ? NOISE : CENT)
    : isDeepStrictEqual(told[figure], now[figure]);

/** Null for a record that is of another kind, or has no sessions of this engine. */
export async function computedAgain(client: Client, chain: Chain): Promise<Recomputed | null> {
  const told = toldBy(chain);
  const runThrough = told.length === 0 ? null : await runsOf(client, chain);
  if (runThrough === null) return null;
  const different: Difference[] = [];
  for (const { entry, before, revised } of told) {
    const run = await runThrough(requireDay(entry.session));
    if ('failure' in run) return null;
    const { engine_version, data_version, columns, session } = entry;
    const now = sessionEntry({ engine_version, data_version, columns }, run, before);
    const was = revised === null ? entry : { ...entry, return: revised };
    for (const figure of revised === null ? COMPARED : (['return'] as const))
      if (!isSame(was, now, figure)) different.push({ session, figure, told: was[figure], now: now[figure] });
  }
  return { sessions: told.length, different };
}
