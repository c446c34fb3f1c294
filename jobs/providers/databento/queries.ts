/** Queries of `timeseries.get_range`, and the days that they may include. */
import Papa from 'papaparse';
import { z } from 'zod';
import { type Day, type EpochMs, formatDay, newYorkTime, parseDay } from '../../../engine/market/dates.ts';
import { fromKeys } from '../../../engine/util/values.ts';
import type { SourceDigest } from '../file-account.ts';
import { ProviderError } from '../provider.ts';
import { type DatabentoClient, DatabentoError, type Form } from './client.ts';

export interface Query {
  readonly dataset: string;
  readonly schema: 'ohlcv-1d' | 'ohlcv-1m' | 'statistics' | 'definition';
  /** Dates or times; the end is exclusive. */
  readonly start: string;
  readonly end: string;
}

/** A query of whole days, from midnight to midnight UTC. */
export function daysQuery({ dataset, schema }: Pick<Query, 'dataset' | 'schema'>, start: Day, end: Day): Query {
  return { dataset, schema, start: formatDay(start), end: formatDay(end + 1) };
}

/** Trading hours of a New York day, extended ones included. */
const HOURS = { first: 4, last: 20 } as const;

export function hoursQuery(source: Pick<Query, 'dataset' | 'schema'>, day: Day): Query {
  const instant = (ms: EpochMs) => new Date(ms).toISOString();
  const [start, end] = [instant(newYorkTime(day, HOURS.first)), instant(newYorkTime(day, HOURS.last))];
  return { dataset: source.dataset, schema: source.schema, start, end };
}

/** The form of a query of all symbols, for `get_range`, `get_cost`, and similar methods. */
function formOf(query: Query): Form {
  return { ...query, symbols: 'ALL_SYMBOLS', stype_in: 'raw_symbol', stype_out: 'instrument_id' };
}

/** Requested as CSV, whose header defines the columns. */
const TEXT = { encoding: 'csv', compression: 'zstd', pretty_px: true, pretty_ts: true, map_symbols: true } as const;

/** Lines of the answer, decompressed; `digest` includes them. */
export async function* answerLines(
  client: DatabentoClient,
  query: Query,
  signal?: AbortSignal,
  digest?: SourceDigest,
): AsyncGenerator<string> {
  for await (const line of client.postLines('timeseries.get_range', { ...formOf(query), ...TEXT }, signal)) {
    digest?.add(`${line}\n`);
    yield line;
  }
}

/**
 * Records of an answer with the required and the optional columns; a missing optional one is empty. Throws when fewer than `expected`
 * records arrive.
 */
export async function* answerRecords<const N extends string>(
  lines: AsyncIterable<string>,
  { required, optional }: { readonly required: readonly N[]; readonly optional: readonly N[] },
  expected = 0,
): AsyncGenerator<Readonly<Record<N, string>>> {
  const names = [...required, ...optional];
  let at: Readonly<Record<N, number>> | null = null;
  let count = 0;
  for await (const line of lines) {
    if (line === '') continue;
    const fields = fieldsOf(line);
    if (at === null) {
      at = positionsIn(fields, names, required);
      continue;
    }
    const positions = at;
    count++;
    yield fromKeys(names, (name) => fields[positions[name]] ?? '');
  }
  if (count < expected) {
    throw new ProviderError(`timeseries.get_range: ${count} of ${expected} records arrived`, { isTransient: true });
  }
}

/** Only definitions have quoted texts. */
function fieldsOf(line: string): readonly string[] {
  return line.includes('"') ? Papa.parse<string[]>(line).data[0] : line.split(',');
}

function positionsIn<N extends string>(
  header: readonly string[],
  names: readonly N[],
  required: readonly N[],
): Record<N, number> {
  const missing = required.filter((name) => !header.includes(name));
  if (missing.length === 0) return fromKeys(names, (name) => header.indexOf(name));
  throw new ProviderError(`timeseries.get_range: columns are missing: ${missing.join(', ')}`);
}

/** The number of records, the price in US dollars, or the bytes of a query. */
export function measure(
  client: DatabentoClient,
  method: 'get_record_count' | 'get_cost' | 'get_billable_size',
  query: Query,
): Promise<number> {
  return client.postJson(`metadata.${method}`, formOf(query), z.number());
}

/** Calls `ask` for the days of a range that the dataset has, which the vendor's refusal names; null: it has none of them. */
export async function withinAvailable<T>(
  start: Day,
  end: Day,
  ask: (start: Day, end: Day) => Promise<T>,
): Promise<{ readonly start: Day; readonly end: Day; readonly answer: T } | null> {
  try {
    return { start, end, answer: await ask(start, end) };
  } catch (error) {
    const limits = error instanceof DatabentoError ? limitsOf(error) : null;
    if (!limits) throw error;
    const cut = { start: Math.max(start, limits.first), end: Math.min(end, limits.last) };
    return cut.start <= cut.end ? { ...cut, answer: await ask(cut.start, cut.end) } : null;
  }
}

/** The available days that a refusal names, first and last included; null when the refusal has another reason. */
function limitsOf({ status, case: name, words, payload }: DatabentoError): { first: Day; last: Day } | null {
  const dayIn = (value: unknown) => (typeof value === 'string' ? parseDay(value.slice(0, 10)) : null);
  if (status === 422 && name?.startsWith('data_')) {
    const first = dayIn(payload.available_start) ?? 0;
    const end = dayIn(payload.available_end);
    return end === null ? null : { first, last: end - 1 };
  }
  if (status === 403 && name === 'license_not_found_unauthorized') {
    const after = dayIn(/after (\d{4}-\d{2}-\d{2})/.exec(words)?.[1]);
    return after === null ? null : { first: 0, last: after - 1 };
  }
  return null;
}
