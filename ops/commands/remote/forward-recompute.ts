/** A forward record of one instrument, computed again on this machine from the tables of a service. */
import { z } from 'zod';
import type { Client } from '../../../api/clients/typescript/index.ts';
import { ADJUSTMENT_KINDS } from '../../../engine/market/adjust.ts';
import { sessionAfter } from '../../../engine/market/calendar.ts';
import { type Day, formatDay, requireDay } from '../../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, VALUE_COLUMNS } from '../../../engine/market/series.ts';
import { spliceSeries } from '../../../engine/market/venue-basis.ts';
import { printExpression } from '../../../engine/rules/print.ts';
import { readRules } from '../../../engine/rules/strategy.ts';
import type { Expression } from '../../../engine/rules/syntax.ts';
import { ENGINE_VERSION } from '../../../engine/version.ts';
import { BACKTEST } from '../../../jobs/backtest/kind.ts';
import { type BacktestSpec, backtestSpecSchema, rateNames } from '../../../jobs/contracts/backtest.ts';
import { NOISE } from '../../../jobs/forward/append.ts';
import { rounded } from '../../../jobs/forward/chain.ts';
import { specDigest } from '../../../jobs/runs/receipt.ts';
import type { Chain } from './forward-chain.ts';

export interface Recomputed {
  readonly sessions: number;
  readonly different: readonly { readonly session: string; readonly told: number; readonly now: number }[];
}

/** The specification of a backtest as it is sealed. */
const formSchema = z.object({
  kind: z.literal('backtest'),
  ...backtestSpecSchema.pick({ symbol: true, strategy: true, params: true, adjust: true }).shape,
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

/** Facts that a seal does not have, and no return depends on. */
const UNSAID = { instrumentId: 0, listedOn: null, delistedOn: null, isCostless: false, asOf: 0, dataAsOf: null };

function specOf(form: z.output<typeof formSchema>): BacktestSpec {
  const { cost, execute_on: executeOn, initial_capital: initialCapital } = form.execution;
  const textOf = (rule: Expression | null) => (rule === null ? undefined : printExpression(rule));
  const texts = Object.entries(form.rules ?? {}).map(([part, rule]) => [part, textOf(rule)]);
  return backtestSpecSchema.parse({
    ...UNSAID,
    ...form,
    distributionMode: '',
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
  });
}

/** The specification of a seal, which is one of one instrument and reads nothing else; null for others. */
function ownSpecOf({ seal: { spec: form, spec_sha256, engine_version } }: Chain): BacktestSpec | null {
  const read = formSchema.safeParse(form);
  if (!read.success) return null;
  const spec = specOf(read.data);
  const rules = spec.rules && readRules(spec.rules);
  if (rules !== undefined && ('problems' in rules || rules.rules.tickers.size > 0)) return null;
  // Own columns are in the digest too.
  const isWhole = specDigest(BACKTEST.canonical(spec, String(engine_version))) === spec_sha256;
  return isWhole && rateNames(spec).length === 0 ? spec : null;
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

async function historyOf({ sql }: Client, symbol: string, through: Day) {
  const rows = async (query: string) =>
    (await sql({ query: `${query} where symbol = '${symbol.replaceAll("'", "''")}'`, limit: 100_000 })).rows;
  const bars = (await rows(`select venue_mode, date, ${VALUE_COLUMNS.join(', ')} from bars`)).toSorted(byDay);
  const events = (await rows('select kind, ex_date, factor from events')).toSorted(byDay);
  const [[listed, delisted, returnPct, venue] = []] = await rows(
    'select listed_on, delisted_on, delisting_return_pct, primary_venue from symbols',
  );
  const [listedOn, delistedOn] = [listed, delisted].map((day) => (day ? requireDay(String(day)) : null));
  const delisting = { returnPct: typeof returnPct === 'number' ? returnPct : null, venue: String(venue) };
  const series = spliceSeries(seriesOf(bars, 'primary_session'), seriesOf(bars, 'consolidated'), through);
  return {
    series: {
      ...series,
      listedOn: listedOn ?? undefined,
      delisting: delistedOn !== null && delistedOn <= through ? delisting : undefined,
    },
    events: events.map(([kind, exDay, factor]) => {
      return { kind: z.enum(ADJUSTMENT_KINDS).parse(kind), exDay: requireDay(String(exDay)), factor: Number(factor) };
    }),
    listedOn,
    delistedOn,
  };
}

const byDay = ([, a]: Cells[number], [, b]: Cells[number]) => String(a).localeCompare(String(b));

/** The newest returns of sessions that this engine told. */
function toldBy({ entries }: Chain): Map<string, number> {
  const told = new Map<string, number>();
  for (const { entry } of entries) {
    if (!('kind' in entry)) {
      if (entry.engine_version === ENGINE_VERSION) told.set(entry.session, entry.return);
    } else if (told.has(entry.session) && typeof entry.after === 'object') told.set(entry.session, entry.after.return);
  }
  return told;
}

/** Null for a record that is not of one instrument alone, or has no sessions of this engine. */
export async function computedAgain(client: Client, chain: Chain): Promise<Recomputed | null> {
  const [sealed, told] = [ownSpecOf(chain), toldBy(chain)];
  const last = [...told.keys()].at(-1);
  if (sealed === null || last === undefined) return null;
  const through = requireDay(last);
  const { listedOn, delistedOn, ...history } = await historyOf(client, sealed.symbol, through);
  const spec = { ...sealed, listedOn, delistedOn, asOf: through, dataAsOf: through };
  const run = await BACKTEST.goOn(spec, history, sessionAfter(through));
  if ('failure' in run) return null;
  const { days, equity } = run;
  const compared = Array.from(days.keys()).flatMap((t) => {
    const session = formatDay(days[t]);
    const was = told.get(session);
    return was === undefined || t === 0 ? [] : [{ session, told: was, now: rounded(equity[t] / equity[t - 1] - 1) }];
  });
  const different = compared.filter((one) => Math.abs(one.now - one.told) >= NOISE);
  return { sessions: compared.length, different };
}
