/** The own columns of a run: their rows beside the bars of each instrument, and what a result tells of them. */
import { z } from 'zod';
import type { Pool, Queryable } from '../../db/pool.ts';
import {
  type IncludedVersion,
  selectColumnRows,
  selectColumns,
  selectIncludedVersions,
  WHOLE_MARKET,
} from '../../db/research/own-columns.ts';
import { type Day, FAR_FUTURE, formatDay, newYorkTime } from '../../engine/market/dates.ts';
import { type ColumnRows, type OwnColumn, type OwnColumns, spellsOn } from '../../engine/market/own-columns.ts';
import { sessionsUpTo } from '../../engine/market/session-index.ts';
import { type NamedInstrument, type UsedColumn, usedColumnSchema } from '../contracts/backtest.ts';
import type { History, ReadHistories, StreamedHistory } from './history.ts';

/** The columns of an instrument, those of the market included. */
export type ColumnsOf = (instrumentId: number) => OwnColumns;

export type UsedColumns = readonly UsedColumn[] | undefined;

/** The columns that an account may name, with their newest versions. Null: those of everyone. */
export async function usableColumns(db: Queryable, accountId: number | null): Promise<UsedColumn[]> {
  const columns = await selectColumns(db, accountId);
  return columns.map(
    ({
      id,
      accountId: of,
      name,
      base,
      version,
      sha256,
      kind,
      isMarket,
      dimension,
      about,
      dayMeans,
      staleAfter,
      unit,
    }) => {
      const owner = of === null ? 'everyone' : 'account';
      const facts = { kind, isMarket, dimension, about, dayMeans, staleAfter, unit };
      return { name, owner, columnId: id, base, version, sha256, ...facts };
    },
  );
}

/** The newest versions of columns that an account's rules name; undefined: they name none, or one that is there no more. */
export async function newestColumns(
  db: Queryable,
  accountId: number,
  names: ReadonlySet<string>,
): Promise<UsedColumn[] | undefined> {
  if (names.size === 0) return undefined;
  const found = (await usableColumns(db, accountId)).filter(({ name }) => names.has(name));
  return found.length === names.size ? found : undefined;
}

/** The name of a column of a kept specification whose version was deleted; null: all are there. */
export async function deletedColumn(db: Queryable, spec: unknown): Promise<string | null> {
  const { columns = [] } = z.object({ columns: z.array(usedColumnSchema).optional() }).parse(spec);
  if (columns.length === 0) return null;
  const versions = await selectIncludedVersions(db, columns);
  const isThere = ({ columnId, version }: UsedColumn) =>
    versions.some((one) => one.id === columnId && one.version === version);
  return columns.find((column) => !isThere(column))?.name ?? null;
}

/** Reads the rows of some instruments; null where rules name no column. */
export async function readOwnColumns(
  db: Queryable,
  used: UsedColumns,
  instrumentIds: readonly number[],
): Promise<ColumnsOf | null> {
  if (used === undefined || used.length === 0) return null;
  const labels = await labelsOf(db, used);
  const rows = await selectColumnRows(db, used, instrumentIds);
  return (instrumentId) =>
    new Map(
      used.flatMap((column): [string, OwnColumn][] => {
        const found = rows.get(column.columnId)?.get(column.isMarket ? WHOLE_MARKET : instrumentId);
        const { name, columnId, ...facts } = column;
        return found === undefined
          ? []
          : [[name, { ...facts, labels: labels.get(columnId) ?? [], rows: found, through: FAR_FUTURE }]];
      }),
    );
}

/** The labels of each column, by its id. */
async function labelsOf(db: Queryable, used: readonly UsedColumn[]): Promise<ReadonlyMap<number, readonly string[]>> {
  const versions = await selectIncludedVersions(db, used);
  // A later version has the labels of the earlier ones first.
  return new Map(versions.map(({ id, labels }) => [id, labels]));
}

export function withColumns<One extends History>(history: One, columns: ColumnsOf | null, instrumentId: number): One {
  return columns === null ? history : { ...history, series: { ...history.series, own: columns(instrumentId) } };
}

/** Reads histories with their columns, which are the same however old the bars are. */
export function readingColumns(read: ReadHistories, used: UsedColumns): ReadHistories {
  return async (db, ids, asOf) => {
    const histories = await read(db, ids, asOf);
    const columns = await readOwnColumns(db, used, ids);
    return histories.map((history, i) => withColumns(history, columns, ids[i]));
  };
}

/** Instruments whose rows are read by one statement. */
const BATCH = 512;

/** The columns of many instruments, a batch at a time in memory: they are asked for in about the order of the ids. */
export class ColumnBatches {
  private readonly db: Queryable;
  private readonly used: UsedColumns;
  private readonly batchOf: ReadonlyMap<number, number>;
  private readonly ids: readonly number[];
  private current: { readonly batch: number; readonly columns: ColumnsOf } | null = null;

  constructor(db: Queryable, used: UsedColumns, instrumentIds: readonly number[]) {
    this.db = db;
    this.used = used;
    this.ids = instrumentIds;
    this.batchOf = new Map(used === undefined ? [] : instrumentIds.map((id, i) => [id, Math.floor(i / BATCH)]));
  }

  /** Undefined where rules name no column. */
  async of(instrumentId: number): Promise<OwnColumns | undefined> {
    const batch = this.batchOf.get(instrumentId);
    if (batch === undefined) return undefined;
    if (this.current?.batch !== batch) {
      const columns = await readOwnColumns(this.db, this.used, this.ids.slice(batch * BATCH, (batch + 1) * BATCH));
      this.current = columns && { batch, columns };
    }
    return this.current?.columns(instrumentId);
  }
}

/** Histories by ascending id, each with its columns. */
export async function* streamingColumns(
  pool: Pool,
  used: UsedColumns,
  instrumentIds: readonly number[],
  histories: AsyncGenerator<StreamedHistory>,
): AsyncGenerator<StreamedHistory> {
  const columns = new ColumnBatches(
    pool,
    used,
    instrumentIds.toSorted((a, b) => a - b),
  );
  for await (const history of histories) {
    const own = await columns.of(history.instrumentId);
    yield own === undefined ? history : { ...history, series: { ...history.series, own } };
  }
}

/** The columns of the histories that a run has read, others that its rules name included. */
export function columnsOf(
  histories: Iterable<Pick<History, 'series'>>,
  others: ReadonlyMap<string, History> = new Map(),
): ColumnsRead {
  return [...histories, ...others.values()].map(({ series }) => series.own);
}

/** The instruments of a run, and those that its rules name. */
export function readIds(
  instruments: readonly Pick<NamedInstrument, 'instrumentId'>[],
  others: readonly NamedInstrument[] = [],
): number[] {
  return [...new Set([...instruments, ...others].map(({ instrumentId }) => instrumentId))];
}

/** The record of a column in a result, with counts of the rows that gave a value at a session of the range. */
export interface ColumnView {
  readonly name: string;
  readonly owner: UsedColumn['owner'];
  readonly version: number;
  readonly sha256: string;
  readonly rows_used: number;
  /** Known more than a session after their date. */
  readonly known_late: number;
  /** Loaded after they were known. */
  readonly loaded_late: number;
  /** The last day on which one became known; null: none was used. */
  readonly last_known: string | null;
}

/** The columns of the instruments of a run as they were read; null: they are in memory no more, and are read again. */
export type ColumnsRead = Iterable<OwnColumns | undefined> | null;

/** `days`: the sessions of the range. */
export async function viewColumns(
  db: Queryable,
  used: readonly UsedColumn[],
  instrumentIds: readonly number[],
  read: ColumnsRead,
  days: Int32Array,
): Promise<ColumnView[]> {
  const versions = await selectIncludedVersions(db, used);
  const tallies = used.map((column) => new ColumnTally(column, versions));
  const add = (columns: OwnColumns | undefined) => {
    for (const tally of tallies) tally.add(columns?.get(tally.column.name)?.rows, days);
  };
  if (read !== null) {
    for (const columns of read) add(columns);
    return tallies.map((tally) => tally.view());
  }
  const batches = new ColumnBatches(db, used, instrumentIds);
  for (const id of instrumentIds) add(await batches.of(id));
  return tallies.map((tally) => tally.view());
}

class ColumnTally {
  readonly column: UsedColumn;
  private readonly loadedAt: ReadonlyMap<number, number>;
  private rows = 0;
  private knownLate = 0;
  private loadedLate = 0;
  private lastKnown: Day | null = null;
  private counted: ColumnRows | null = null;

  constructor(column: UsedColumn, versions: readonly IncludedVersion[]) {
    this.column = column;
    const own = versions.filter(({ id }) => id === column.columnId);
    this.loadedAt = new Map(own.map(({ version, loadedAt }) => [version, loadedAt.getTime()]));
  }

  /** The rows of a market column come with each instrument, and count once. */
  add(rows: ColumnRows | undefined, days: Int32Array): void {
    if (rows === undefined || rows === this.counted) return;
    if (this.column.isMarket) this.counted = rows;
    const { date, knownDay, knownSecond, version, value } = rows;
    let last = -1;
    for (const { row } of spellsOn({ ...this.column, labels: [], rows, through: FAR_FUTURE }, days)) {
      if (row === last || Number.isNaN(value[row])) continue;
      last = row;
      this.rows++;
      this.knownLate += Number(sessionsUpTo(knownDay[row]) - sessionsUpTo(date[row]) > 1);
      // A day counts to its end.
      const second = knownSecond[row];
      const knownBy = second < 0 ? newYorkTime(knownDay[row] + 1, 0) : newYorkTime(knownDay[row], 0, second / 60);
      this.loadedLate += Number((this.loadedAt.get(version?.[row] ?? 0) ?? 0) > knownBy);
      this.lastKnown = Math.max(this.lastKnown ?? knownDay[row], knownDay[row]);
    }
  }

  view(): ColumnView {
    const { column, rows, knownLate, loadedLate, lastKnown } = this;
    return {
      name: column.name,
      owner: column.owner,
      version: column.version,
      sha256: column.sha256,
      rows_used: rows,
      known_late: knownLate,
      loaded_late: loadedLate,
      last_known: lastKnown === null ? null : formatDay(lastKnown),
    };
  }
}
