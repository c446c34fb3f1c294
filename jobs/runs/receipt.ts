/**
 * Receipts: digests by which anyone can check that a result is what a specification gives on the same data with the same engine.
 * All digests are SHA-256 in hex. Canonical JSON is RFC 8785.
 */
import { createHash, hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { countingKinds } from '../../engine/market/adjust.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { type BarSeries, sliceByDay, VALUE_COLUMNS } from '../../engine/market/series.ts';
import { canonicalRules } from '../../engine/rules/strategy.ts';
import { required } from '../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { BacktestSpec, RunSpec, UsedColumn } from '../contracts/backtest.ts';
import type { Receipt } from '../contracts/evidence.ts';
import type { History } from './history.ts';
import { ratesView } from './rates.ts';

/** When and on which data a result is computed. */
export interface Computation {
  readonly dataVersion: string;
  readonly at: Date;
}

const sha256 = (content: string | Uint8Array) => hash('sha256', content);

function digestOf(form: object): string {
  return sha256(canonicalJson(form));
}

const dateOf = (day: Day | null) => (day === null ? null : formatDay(day));

/**
 * The part of a complete specification that every kind of run has as it is digested: with every default, and symbols as served, but without
 * account, time, and data version. `engineVersion`: gives the form that the receipts of that version were made from.
 */
export function tradingForm(spec: RunSpec, engineVersion: string) {
  const { executeOn, commissionRate, minCommission, slippageBps, initialCapital } = spec.execution;
  return {
    engine_version: engineVersion,
    strategy: spec.strategy,
    rules: canonicalRules(spec.rules),
    params: spec.params,
    // Absent where rules name none, so that the digests of such runs stay as they were.
    columns: spec.columns?.map(columnForm),
    time_range: spec.start === null ? spec.timeRange : null,
    start: dateOf(spec.start),
    end: dateOf(spec.end),
    adjust: spec.adjust,
    execution: {
      execute_on: executeOn,
      cost: { commission_rate: commissionRate, min_commission: minCommission, slippage_bps: slippageBps },
      initial_capital: initialCapital,
    },
    include_statistics: spec.includeStatistics,
    ...ratesView(spec),
  };
}

/** A version of a column by its rows and by how they are read. Whose it is does not matter. */
export function columnForm({ name, sha256: rows, kind, isMarket, dimension, about, dayMeans, staleAfter }: UsedColumn) {
  // Absent by default, so that the digests of such runs stay as they were.
  const day_means = dayMeans === 'before_close' ? dayMeans : undefined;
  return { name, sha256: rows, kind, market: isMarket, dimension, about, day_means, stale_after: staleAfter };
}

export const specDigest = digestOf;

/** Seed of the random numbers of a run: the first 8 bytes of the digest of its specification, in hex. */
export function seedOf(specSha256: string): string {
  return specSha256.slice(0, 16);
}

/** Everything of a history that a run reads: its bars through `end`, and the events that its adjustment counts. */
export function dataRead(
  { end, adjust }: Pick<BacktestSpec, 'end' | 'adjust'>,
  { series, events, others }: History,
): History {
  const read = end === null || series.length === 0 ? series : sliceByDay(series, series.day[0], end);
  const last = read.length === 0 ? Number.NEGATIVE_INFINITY : read.day[read.length - 1];
  const kinds = countingKinds(adjust);
  const counted = events.filter(({ kind, exDay }) => kinds.includes(kind) && exDay <= last);
  if (others === undefined) return { series: read, events: counted };
  // Rules see other instruments through the last bar.
  const through = Number.isFinite(last) ? last : null;
  const each = [...others].map(([ticker, other]) => [ticker, dataRead({ end: through, adjust }, other)] as const);
  return { series: read, events: counted, others: new Map(each) };
}

const bytesOf = (column: BarSeries[(typeof VALUE_COLUMNS)[number]] | Int32Array) =>
  new Uint8Array(column.buffer, column.byteOffset, column.byteLength);

/**
 * Digest of bars as traded and events: days since 1970-01-01 as 32-bit integers, then open, high, low, close, and volume as 64-bit
 * floats, column by column and little-endian; then the events, oldest first, as canonical JSON; then the return of the delisting after
 * the last bar, where it is known, as canonical JSON; then, for each other instrument that the rules name, its ticker and the digest of
 * its data.
 */
export function dataDigest({ series, events, others }: History): string {
  const digest = createHash('sha256').update(bytesOf(series.day));
  for (const column of VALUE_COLUMNS) digest.update(bytesOf(series[column]));
  const listed = events.map(({ exDay, kind, factor }) => ({ ex_date: formatDay(exDay), kind, factor }));
  digest.update(canonicalJson(listed));
  const returnPct = series.delisting?.returnPct ?? null;
  if (returnPct !== null) digest.update(canonicalJson({ delisting_return_pct: returnPct }));
  for (const [ticker, other] of others ?? []) digest.update(`${ticker} ${dataDigest(other)}\n`);
  return digest.digest('hex');
}

/** Days of the first and the last bar. */
export type BarDays = readonly [first: Day, last: Day];

/** Null without bars. */
export function barDaysOf({ day, length }: BarSeries): BarDays | null {
  return length === 0 ? null : [day[0], day[length - 1]];
}

/** The data that a run has read. */
export interface DataRead {
  readonly sha256: string;
  readonly days: BarDays;
}

const MAX_DIGESTS = 16;
const digests = new WeakMap<History, Map<string, DataRead>>();

/** The data that a run reads of a history with bars. Most runs on a history differ only in parameters, so it is computed once. */
export function digestOfDataRead(spec: Pick<BacktestSpec, 'end' | 'adjust'>, history: History): DataRead {
  let known = digests.get(history);
  if (known === undefined) {
    known = new Map();
    digests.set(history, known);
  }
  const read = `${spec.end} ${spec.adjust}`;
  let digested = known.get(read);
  if (digested === undefined) {
    const data = dataRead(spec, history);
    digested = { sha256: dataDigest(data), days: required(barDaysOf(data.series), 'the bars of a run') };
    if (known.size === MAX_DIGESTS) known.clear();
    known.set(read, digested);
  }
  return digested;
}

/**
 * Digest of the figures of a result and its long arrays: of canonical JSON with `figures` and the digest of each array as the text
 * that is served. `known`: digests of some of them, in hex.
 */
export function resultDigest(
  figures: object,
  parts: Readonly<Record<string, string | Uint8Array>> = {},
  known: Readonly<Record<string, string>> = {},
): string {
  const digests = Object.entries(parts).map(([name, text]) => [`${name}_sha256`, known[name] ?? sha256(text)]);
  return digestOf({ ...figures, ...Object.fromEntries(digests) });
}

export function receiptOf(
  specSha256: string,
  { sha256: dataSha256, days: [first, last] }: DataRead,
  resultSha256: string,
  { dataVersion, at }: Computation,
): Receipt {
  return {
    engine_version: ENGINE_VERSION,
    spec_sha256: specSha256,
    data_sha256: dataSha256,
    first_bar: formatDay(first),
    last_bar: formatDay(last),
    result_sha256: resultSha256,
    data_version: dataVersion,
    computed_at: at.toISOString(),
  };
}

/** JSON as RFC 8785 writes it: equal values give equal bytes. */
export function canonicalJson(value: object): string {
  return required(canonicalize(value), 'the canonical form');
}
