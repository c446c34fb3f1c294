/** The own columns of a sealed run as the caller may read them, in the versions whose rows the newest ones have. */
import { ApiError, type Client, type Data } from '../../../api/clients/typescript/index.ts';
import { allocateRows, KNOWN_AS_DAY } from '../../../db/research/own-columns.ts';
import type { ColumnVersion } from '../../../engine/forward/record.ts';
import { type Day, FAR_FUTURE } from '../../../engine/market/dates.ts';
import type { ColumnRows, OwnColumn, OwnColumns } from '../../../engine/market/own-columns.ts';
import { required } from '../../../engine/util/values.ts';
import { dayIn, quoted, rowsOf } from './forward-market.ts';

interface Row {
  readonly date: Day;
  readonly seen: Day;
  readonly knownAt: string;
  readonly value: number;
  /** The version that brought it. */
  readonly addedIn: number;
}

interface ServedColumn {
  readonly facts: Data<'getColumn'>;
  readonly labels: readonly string[];
  /** Versions all of whose rows are there: a later one may have replaced them. */
  readonly versions: ReadonlySet<number>;
  /** By symbol; of a column of the market at null. */
  readonly rows: ReadonlyMap<string | null, readonly Row[]>;
}

export interface ServedColumns {
  /** Why a version cannot be read; null: all can. */
  readonly problemOf: (versions: readonly ColumnVersion[]) => string | null;
  /** The columns of an instrument, or of the market (null), in some versions. */
  readonly columnsOf: (versions: readonly ColumnVersion[], symbol: string | null) => OwnColumns;
}

/** `sealed`: the columns of a seal, with the digests of their rows. */
export async function readColumns(
  client: Client,
  sealed: readonly (ColumnVersion & { readonly sha256: string })[],
): Promise<ServedColumns> {
  const served = new Map<string, ServedColumn>();
  for (const { name, version, sha256 } of sealed) {
    const facts = await columnNamed(client, name);
    // One of another account may have the same name.
    if (facts?.versions.some((one) => one.version === version && one.sha256 === sha256))
      served.set(name, await readColumn(client, facts));
  }
  return {
    problemOf: (versions) => {
      const missing = versions.filter(({ name, version }) => !served.get(name)?.versions.has(version));
      const each = missing.map(({ name, version }) => `version ${version} of the column ${name}`);
      return each.length === 0 ? null : `the rows of ${each.join(' and ')} are not served to the caller`;
    },
    columnsOf: (versions, symbol) =>
      new Map(versions.flatMap(({ name, version }) => ownColumn(required(served.get(name)), name, version, symbol))),
  };
}

async function columnNamed(client: Client, name: string): Promise<ServedColumn['facts'] | null> {
  try {
    return await client.call('getColumn', { path: { name } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

async function readColumn(client: Client, facts: ServedColumn['facts']): Promise<ServedColumn> {
  const columns = 'symbol, date, seen, known_at, value, label, added_in';
  const order = 'order by symbol, date, seen, known_at, added_in';
  const cells = await rowsOf(client, `select ${columns} from my_columns where name = ${quoted(facts.name)} ${order}`);
  const labels = [...new Set(cells.flatMap(([, , , , , label]) => (label === null ? [] : String(label))))];
  const rows = cells.map(([symbol, date, seen, knownAt, number, label, addedIn]) => {
    const value = label === null ? (number ?? Number.NaN) : labels.indexOf(String(label));
    return {
      symbol: symbol === null ? null : String(symbol),
      date: dayIn(date),
      seen: dayIn(seen),
      knownAt: String(knownAt),
      value: Number(value),
      addedIn: Number(addedIn),
    };
  });
  const whole = facts.versions.filter(({ version, rows: count }) => {
    return rows.filter(({ addedIn }) => addedIn <= version).length === count;
  });
  const versions = new Set(whole.map(({ version }) => version));
  return { facts, labels, versions, rows: Map.groupBy(rows, ({ symbol }) => symbol) };
}

function ownColumn(
  { facts, labels, rows }: ServedColumn,
  name: string,
  version: number,
  symbol: string | null,
): [string, OwnColumn][] {
  const known = rows.get(facts.market ? null : symbol)?.filter(({ addedIn }) => addedIn <= version) ?? [];
  if (known.length === 0) return [];
  const { kind, market: isMarket, dimension, about, stale_after: staleAfter } = facts;
  return [
    [name, { kind, isMarket, dimension, about, staleAfter, labels, rows: columnRows(known), through: FAR_FUTURE }],
  ];
}

function columnRows(known: readonly Row[]): ColumnRows {
  const rows = allocateRows(known.length);
  for (const [i, { date, seen, knownAt, value, addedIn }] of known.entries()) {
    rows.date[i] = date;
    rows.seen[i] = seen;
    rows.knownDay[i] = dayIn(knownAt.slice(0, 10));
    rows.knownSecond[i] = secondIn(knownAt);
    rows.value[i] = value;
    rows.version[i] = addedIn;
  }
  return rows;
}

/** The second of the day in `2026-05-29T16:00:00-04:00`. */
function secondIn(knownAt: string): number {
  const [hours, minutes, seconds] = knownAt.slice(11, 19).split(':').map(Number);
  return knownAt.length === 10 ? KNOWN_AS_DAY : 3_600 * hours + 60 * minutes + seconds;
}
