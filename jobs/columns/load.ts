/** Loads a file into a new version of a column: reads its lines, and then writes their rows in one transaction. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockUser } from '../../db/accounts/users.ts';
import { type Connection, type Pool, transaction } from '../../db/pool.ts';
import { streamColumnRows } from '../../db/research/column-reads.ts';
import {
  type ColumnBlock,
  copyColumnBlocks,
  insertColumnVersion,
  lockColumn,
  type NewColumnVersion,
  selectColumnUse,
  updateColumnFigures,
} from '../../db/research/column-writes.ts';
import { allocateRows, type OwnColumn, packRows, selectOwnColumn } from '../../db/research/own-columns.ts';
import { TRANSFER_LIMITS } from '../../db/session-limits.ts';
import { civilDate, type Day, dayOf, newYorkDay } from '../../engine/market/dates.ts';
import type { ColumnRows } from '../../engine/market/own-columns.ts';
import { lowerBound } from '../../engine/util/values.ts';
import type { ColumnQuota, ColumnResult, ColumnSettings } from '../contracts/columns.ts';
import type { FileAccount, FileIdentity } from '../providers/file-account.ts';
import { lineAccountOf } from './account.ts';
import { OverQuota } from './bounds.ts';
import { FigureTally } from './figures.ts';
import { type ReadRows, readRows, rulesOf } from './read-rows.ts';

export interface ColumnTarget {
  /** Null: everyone's. */
  readonly accountId: number | null;
  readonly name: string;
  readonly settings: ColumnSettings;
  /** Null: no limits. */
  readonly quota: ColumnQuota | null;
  /** The file, as its account has it; absent: the account is in the result alone. */
  readonly identity?: FileIdentity;
}

export interface LoadContext {
  readonly pool: Pool;
  readonly workFolder: string;
  readonly now: () => number;
  /** Called often, with the share of the work that is done. */
  readonly report: (share: number) => Promise<void>;
}

/** Share of the work that reading is. */
const READING = 0.7;

/**
 * Loads the file at `path`. `finish` does more in the transaction of the write. Throws `FileRefused` and `OverQuota`, and then nothing
 * is kept.
 */
export async function loadColumn(
  context: LoadContext,
  target: ColumnTarget,
  path: string,
  finish: (connection: Connection, result: ColumnResult, account: FileAccount) => Promise<void> = async () => {},
): Promise<ColumnResult> {
  const { pool, workFolder } = context;
  const isAppended = target.settings.mode === 'append';
  const base = isAppended ? await selectOwnColumn(pool, target.accountId, target.name) : null;
  const { settings, identity, quota } = target;
  const rules = rulesOf(settings, base);
  const folder = await mkdtemp(join(workFolder, 'column-'));
  let read: ReadRows | undefined;
  try {
    const report = (share: number) => context.report(share * READING);
    const rows = await readRows(pool, {
      path,
      identity,
      settings,
      rules,
      quota,
      labels: base?.labels ?? [],
      folder,
      report,
    });
    read = rows;
    return await transaction(
      pool,
      async (connection) => {
        const result = await writeVersion(context, connection, { target, base, read: rows });
        await finish(connection, result, rows.account);
        return result;
      },
      TRANSFER_LIMITS,
    );
  } finally {
    await read?.store.close();
    await rm(folder, { recursive: true });
  }
}

interface WrittenVersion {
  readonly target: ColumnTarget;
  readonly base: OwnColumn | null;
  readonly read: ReadRows;
}

async function writeVersion(
  context: LoadContext,
  connection: Connection,
  { target, base, read }: WrittenVersion,
): Promise<ColumnResult> {
  const { accountId, name } = target;
  const at = new Date(context.now());
  const { id, newest } = await lockColumn(connection, accountId, name, at);
  // Rows that are appended were read by the rules and with the labels of the version before.
  const isAppended = target.settings.mode === 'append';
  if (isAppended && newest !== (base?.version ?? 0)) throw new Error(`the column ${name} was written meanwhile`);
  const version = newVersion(target, { base, read, version: newest + 1, at });
  await insertColumnVersion(connection, id, version);
  const labels = version.kind === 'label' ? version.labels : null;
  const tally = new FigureTally(labels, newYorkDay(at.getTime()));
  const own = base === null ? tally : new FigureTally(labels, newYorkDay(at.getTime()));
  const members = base === null ? new Set<number>() : await membersOf(connection, base, read.firstList);
  await copyColumnBlocks(connection, id, version.version, blocksOf(context, read, members, own));
  if (base !== null) {
    const all = { id, base: version.base, version: version.version };
    for await (const [instrumentId, rows] of streamColumnRows(connection, all)) tally.add(instrumentId, rows);
  }
  const figures = tally.end();
  const { backfilled } = base === null ? figures : own.end();
  const staleAfter = base === null && version.staleAfter === null ? figures.staleAfter : version.staleAfter;
  await updateColumnFigures(connection, id, version.version, { ...figures, staleAfter });
  await assertWithinQuota(connection, target);
  const { account, book, layout } = read;
  return {
    columnId: id,
    version: version.version,
    account: lineAccountOf(account, layout),
    backfilled,
    ambiguous_symbols: book.ambiguousTickers,
    unknown_symbols: book.unknownTickers,
  };
}

function newVersion(
  { settings }: ColumnTarget,
  { base, read, version, at }: { base: OwnColumn | null; read: ReadRows; version: number; at: Date },
): NewColumnVersion {
  const { kind, labels, rules } = read;
  const { source = base?.source ?? null, license = base?.license ?? null } = settings;
  return {
    version,
    base: base?.base ?? version,
    kind,
    isMarket: rules.isMarket,
    dimension: base?.dimension ?? settings.dimension ?? 'none',
    about: rules.about,
    dayMeans: rules.dayMeans,
    lag: rules.lag,
    staleAfter: base === null ? (settings.stale_after ?? null) : base.staleAfter,
    unit: base?.unit ?? settings.unit ?? null,
    source,
    license,
    labels: kind === 'label' ? labels : [],
    loadedAt: at,
  };
}

/** The instruments that a column has at a day, which a list of that day must name again; none where there is no list. */
async function membersOf(connection: Connection, column: OwnColumn, day: Day | null): Promise<ReadonlySet<number>> {
  const members = new Set<number>();
  if (day === null) return members;
  for await (const [instrumentId, { date, value }] of streamColumnRows(connection, column)) {
    const newest = lowerBound(date, day + 1) - 1;
    if (newest >= 0 && !Number.isNaN(value[newest])) members.add(instrumentId);
  }
  return members;
}

/** The rows of the file, and then those of members that its lists do not name at all. */
async function* rowsToForm({ store }: ReadRows, members: ReadonlySet<number>): AsyncGenerator<[number, ColumnRows]> {
  const unnamed = new Set(members);
  for await (const found of store.instruments()) {
    unnamed.delete(found[0]);
    yield found;
  }
  for (const instrumentId of unnamed) yield [instrumentId, allocateRows(0)];
}

async function* blocksOf(
  { report }: LoadContext,
  read: ReadRows,
  members: ReadonlySet<number>,
  tally: FigureTally,
): AsyncGenerator<ColumnBlock> {
  const { form, account, store } = read;
  const { count } = store;
  let done = 0;
  for await (const [instrumentId, given] of rowsToForm(read, members)) {
    const { rows, repeated } = form(given, members.has(instrumentId));
    account.loaded -= repeated;
    account.repeated += repeated;
    tally.add(instrumentId, rows);
    yield* yearsOf(instrumentId, rows);
    done += given.date.length;
    await report(READING + (1 - READING) * (done / count));
  }
}

function* yearsOf(instrumentId: number, rows: ColumnRows): Generator<ColumnBlock> {
  const { date } = rows;
  for (let from = 0; from < date.length; ) {
    const { year } = civilDate(date[from]);
    const to = lowerBound(date, dayOf(year + 1, 1, 1));
    yield { instrumentId, year, data: packRows(rows, from, to) };
    from = to;
  }
}

async function assertWithinQuota(connection: Connection, { accountId, quota }: ColumnTarget): Promise<void> {
  if (accountId === null || quota === null) return;
  // Serializes the writes of an account, so that the counts are exact.
  await lockUser(connection, accountId);
  const { columns, rows } = await selectColumnUse(connection, accountId);
  if (columns > quota.columns) throw new OverQuota('columns_max', quota.columns, columns);
  if (rows > quota.rows) throw new OverQuota('column_rows_max', quota.rows, rows);
}
