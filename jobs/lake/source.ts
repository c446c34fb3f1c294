/** The data that the lake is made from, and digests of it, which show whether a file is outdated. */
import { createHash } from 'node:crypto';
import { type BarYear, selectBarYears } from '../../db/lake/lake-files.ts';
import { selectTablePointers } from '../../db/lake/lake-tables.ts';
import { selectAdjustments } from '../../db/market/adjustments.ts';
import { selectSplitAnchors } from '../../db/market/bars.ts';
import { type Instrument, selectInstruments } from '../../db/market/instruments.ts';
import { selectRevisionState } from '../../db/market/revisions.ts';
import type { Connection } from '../../db/pool.ts';
import type { Adjustment } from '../../engine/market/adjust.ts';
import { civilDate, type Day, dayOf, formatDay } from '../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/venue-basis.ts';
import { required } from '../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { LAKE_SCHEMA, LAKE_TABLES, type LakeTable, MARKET_NAMESPACE, SCREENER_COLUMNS } from '../contracts/lake.ts';
import type { ParquetColumn } from '../parquet/parquet-file.ts';
import { assignFieldIds, type FieldIds, identified } from '../tables/schema.ts';

export interface LakeSource {
  readonly connection: Connection;
  readonly through: Day;
  /** By symbol, as it is served. */
  readonly instruments: readonly Instrument[];
  /** Events by instrument, oldest first. */
  readonly events: ReadonlyMap<number, readonly Adjustment[]>;
  /** By instrument, the day whose share count adjusted prices are on. */
  readonly anchors: ReadonlyMap<number, Day>;
  readonly years: readonly BarYear[];
  readonly revisions: { readonly count: number; readonly newest: number };
  /** The field ids of the columns of each table, by its name. */
  readonly fieldIds: ReadonlyMap<string, FieldIds>;
}

/** The columns of a table, as its files have them. */
export function columnsOf({ fieldIds }: LakeSource, table: string): ParquetColumn[] {
  const { columns } = required(
    LAKE_TABLES.find(({ name }) => name === table),
    `the table ${table}`,
  );
  return identified(columns, required(fieldIds.get(table), `the field ids of ${table}`));
}

/** Reads in the transaction of `connection`, so that all files show one snapshot of the database. */
export async function readLakeSource(connection: Connection, through: Day): Promise<LakeSource> {
  const instruments = (await selectInstruments(connection)).sort((a, b) =>
    qualifiedSymbol(a.symbol) < qualifiedSymbol(b.symbol) ? -1 : 1,
  );
  const all = await selectAdjustments(connection);
  const events = new Map([...all].map(([id, own]) => [id, own.filter(({ exDay }) => exDay <= through)]));
  const anchors = await selectSplitAnchors(connection, [...events.keys()], through);
  const years = await selectBarYears(connection, formatDay(through));
  const revisions = await selectRevisionState(connection, formatDay(through));
  const pointers = new Map((await selectTablePointers(connection)).map((pointer) => [pointer.name, pointer]));
  const idsOf = ({ name, columns }: LakeTable) =>
    assignFieldIds(columns, pointers.get(`${MARKET_NAMESPACE}.${name}`)?.fieldIds ?? {});
  const fieldIds = new Map(LAKE_TABLES.map((table) => [table.name, idsOf(table)]));
  return { connection, through, instruments, events, anchors, years, revisions, fieldIds };
}

const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Digests of a source by year: equal digests mean equal content. */
export class SourceDigests {
  private readonly source: LakeSource;
  private readonly symbols: string;
  private readonly newestYear: number;
  private readonly eventDigests = new Map<number, string>();

  constructor(source: LakeSource) {
    this.source = source;
    this.symbols = digestOf(source.instruments.map(({ id, symbol }) => [id, symbol]));
    this.newestYear = Math.max(...source.years.map(({ year }) => year));
  }

  /** Digest of the bars of a year on one venue basis, with their factors. */
  ofBars(year: BarYear): string {
    return digestOf([LAKE_SCHEMA, this.ofYear(year), this.ofEvents(year.year)]);
  }

  /** Digest of the revisions, which are only added. */
  ofRevisions(): string {
    return digestOf([LAKE_SCHEMA, this.source.revisions, this.symbols]);
  }

  /** Digest of the figures of the screener in a year: they depend on the whole history up to its end. */
  ofFigures(year: number): string {
    const before = splicedYears(this.source.years).filter((one) => one.year <= year);
    const columns = SCREENER_COLUMNS.map(({ name }) => name);
    return digestOf([LAKE_SCHEMA, ENGINE_VERSION, columns, before.map((one) => this.ofYear(one)), this.ofEvents(year)]);
  }

  /** The newest year may have rows of instruments that have no packed bars yet. */
  private ofYear({ venueBasis, year, version, newest, members }: BarYear): unknown {
    return [venueBasis, year, version, newest, members, year === this.newestYear ? this.symbols : null];
  }

  /** Digest of the events up to the end of a year. */
  private ofEvents(year: number): string {
    let digest = this.eventDigests.get(year);
    if (digest === undefined) {
      const end = dayOf(year, 12, 31);
      digest = digestOf([...this.source.events].map(([id, own]) => [id, own.filter(({ exDay }) => exDay <= end)]));
      this.eventDigests.set(year, digest);
    }
    return digest;
  }
}

/** The years whose bars are part of spliced histories. */
export function splicedYears(years: readonly BarYear[]): BarYear[] {
  const { year: change } = civilDate(CONSOLIDATED_FROM);
  return years.filter(
    ({ venueBasis, year }) =>
      (venueBasis === 'primary_session' && year <= change) || (venueBasis === 'consolidated' && year >= change),
  );
}
