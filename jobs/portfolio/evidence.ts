/** The evidence in the result of a portfolio: statistics, the figures that its selection is computed from, and a receipt. */
import { createHash } from 'node:crypto';
import { formatDay } from '../../engine/market/dates.ts';
import type { PortfolioMember, PortfolioMetrics, PreparedPortfolio } from '../../engine/portfolio/backtest.ts';
import { EQUAL_WEIGHT_DAILY } from '../../engine/portfolio/benchmark.ts';
import type { PortfolioRun } from '../../engine/portfolio/portfolio.ts';
import { returnsOf } from '../../engine/statistics/moments.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { Evidence } from '../backtest/evidence.ts';
import { type HeldMarket, measureRun } from '../backtest/measured-run.ts';
import {
  type BarDays,
  barDaysOf,
  type Computation,
  type DataRead,
  dataDigest,
  dataRead,
  receiptOf,
  resultDigest,
  seedOf,
  specDigest,
  tradingForm,
} from '../backtest/receipt.ts';
import { type Trials, trialsIn } from '../backtest/trials.ts';
import type { PortfolioSpec } from '../contracts/portfolio.ts';
import type { PortfolioData, ReadPortfolio } from './prepare.ts';
import { allocationView, benchmarkView, portfolioMetricsView } from './report.ts';

/** The complete specification as it is digested, with the list of instruments, whether a screen chose them or the caller. */
export function portfolioForm(spec: PortfolioSpec, engineVersion = ENGINE_VERSION) {
  return {
    kind: 'portfolio',
    symbols: spec.instruments.map(({ symbol }) => symbol),
    ...tradingForm(spec, engineVersion),
    allocation: allocationView(spec),
    benchmark: benchmarkView(spec),
  };
}

/**
 * Digest of the data of all instruments: of a text with a line `symbol digest` for each of them, by symbol, and one for the
 * benchmark. `digestOf`: the digest of one instrument, if it is known.
 */
export function portfolioDataDigest(
  spec: PortfolioSpec,
  { members, single, others }: PortfolioData,
  digestOf = (member: PortfolioMember) => memberDigest(spec, member),
): string {
  const hash = createHash('sha256');
  for (const member of single ? [...members, single] : members) hash.update(`${member.symbol} ${digestOf(member)}\n`);
  for (const [ticker, other] of others ?? []) hash.update(`${ticker} ${dataDigest(dataRead(spec, other))}\n`);
  return hash.digest('hex');
}

/** The data that a portfolio has read, in all and of each history: days of the first and the last bar; null: no bars. */
export interface PortfolioDataRead extends DataRead {
  readonly each: readonly (BarDays | null)[];
}

export function portfolioDataRead(spec: PortfolioSpec, data: PortfolioData): PortfolioDataRead {
  const { members, single } = data;
  const each = (single ? [...members, single] : members).map((member) => barDaysOf(dataRead(spec, member).series));
  const known = each.filter((days) => days !== null);
  const first = Math.min(...known.map(([day]) => day));
  const last = Math.max(...known.map(([, day]) => day));
  return { sha256: portfolioDataDigest(spec, data), days: [first, last], each };
}

export function memberDigest(
  spec: PortfolioSpec,
  { series, events }: Pick<PortfolioMember, 'series' | 'events'>,
): string {
  return dataDigest(dataRead(spec, { series, events }));
}

/** Runs of the same list and strategy count together; they differ in parameters and allocation. */
export function trialsOfPortfolio(spec: PortfolioSpec, combinations: readonly ParameterValues[]): Trials {
  const { instruments, strategy, rules, adjust, execution, allocation } = spec;
  const ids = instruments.map(({ instrumentId }) => instrumentId);
  const forms = combinations.map((params) => (rules ? { allocation, rules, params } : { allocation, params }));
  return trialsIn({ instrumentIds: ids, strategy, adjust, execution }, forms);
}

/** Calendar days from the first session to the last. */
export function calendarDaysOf({ clock }: PreparedPortfolio): number {
  return clock[clock.length - 1] - clock[0];
}

/** The market that is held beside a portfolio: its benchmark where that is an instrument, else its instruments in equal parts. */
export function marketOf(
  { benchmark }: Pick<PortfolioSpec, 'benchmark'>,
  { market }: Pick<PreparedPortfolio, 'market'>,
): HeldMarket {
  return { name: benchmark?.symbol ?? EQUAL_WEIGHT_DAILY, returns: market };
}

/** Figures of a result that its digest covers, next to its long parts. */
function digestedFigures(
  { start_date, end_date, statistics }: { start_date: string; end_date: string; statistics?: object },
  metrics: object,
) {
  return { start_date, end_date, metrics, statistics: statistics ?? null };
}

export interface PortfolioEvidence extends Evidence {
  readonly data: PortfolioDataRead;
}

/** `parts`: the long parts of the result, as text. */
export function evidenceOfPortfolio(
  spec: PortfolioSpec,
  read: ReadPortfolio,
  { run, metrics }: { readonly run: PortfolioRun; readonly metrics: PortfolioMetrics },
  parts: Readonly<Record<string, string>>,
  computation: Computation,
): PortfolioEvidence {
  const { clock } = read.prepared;
  const specSha256 = specDigest(portfolioForm(spec));
  const seed = seedOf(specSha256);
  const returns = returnsOf(run.equity, spec.execution.initialCapital);
  const market = marketOf(spec, read.prepared);
  const measured = measureRun(returns, market, calendarDaysOf(read.prepared), seed, spec.includeStatistics);
  const range = { start_date: formatDay(clock[0]), end_date: formatDay(clock[clock.length - 1]) };
  const figures = digestedFigures({ ...range, statistics: measured.statistics }, portfolioMetricsView(metrics));
  const data = portfolioDataRead(spec, read);
  return {
    data,
    ...measured,
    receipt: receiptOf(specSha256, data, resultDigest(figures, parts), computation),
  };
}
