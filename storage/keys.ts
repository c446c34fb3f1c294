/** The keys of all stored objects. Only this file builds and parses them. */
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._=-]*(\/[A-Za-z0-9_-][A-Za-z0-9._=-]*)*$/;
const MAX_KEY = 512;
/** The longest name that file systems take. */
const MAX_NAME = 255;

export function isKey(key: string): boolean {
  return key.length <= MAX_KEY && KEY.test(key) && key.split('/').every(({ length }) => length <= MAX_NAME);
}

/** Keys are slash-separated names that do not begin with a dot, so that a folder can hold them as they are. */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new RangeError(`not an object key: ${JSON.stringify(key)}`);
}

/** Objects of all accounts. */
export const ACCOUNTS_PREFIX = 'users/';

/** Objects of one account. */
export function accountPrefix(userId: number): string {
  return `${ACCOUNTS_PREFIX}${userId}/`;
}

/** Objects of a kept backtest. */
export function backtestPrefix(userId: number, backtestId: number): string {
  return `${accountPrefix(userId)}backtests/${backtestId}/`;
}

/** One part of a kept backtest, such as `trades`. */
export function backtestKey(userId: number, backtestId: number, part: string): string {
  return `${backtestPrefix(userId, backtestId)}${part}.json`;
}

const BACKTEST_KEY = /^users\/\d+\/backtests\/(\d+)\//;

/** The id of the backtest that a key belongs to; null: none. */
export function backtestOfKey(key: string): number | null {
  const id = BACKTEST_KEY.exec(key)?.[1];
  return id === undefined ? null : Number(id);
}

/** Objects of a sweep. */
export function sweepPrefix(userId: number, sweepId: string): string {
  return `${accountPrefix(userId)}sweeps/${sweepId}/`;
}

export interface SweepChunkId {
  readonly userId: number;
  readonly sweepId: string;
  readonly seq: number;
  readonly attempt: number;
}

/** Objects of the chunks of a sweep, deleted once it is assembled. */
export function sweepChunksPrefix(userId: number, sweepId: string): string {
  return `${sweepPrefix(userId, sweepId)}chunks/`;
}

/** The cells of one attempt at a chunk. Each attempt has its own key, so that a slow one does not overwrite a later one. */
export function sweepChunkKey({ userId, sweepId, seq, attempt }: SweepChunkId): string {
  return `${sweepChunksPrefix(userId, sweepId)}${seq}-${attempt}.cells`;
}

/** An attempt's encoded part of the file of all cells. */
export function encodedChunkKey(chunkKey: string): string {
  return `${chunkKey}.parquet`;
}

/** All cells of a sweep, or the series of a factor study, as one file. */
export function sweepCellsKey(userId: number, sweepId: string): string {
  return `${sweepPrefix(userId, sweepId)}cells.parquet`;
}

/** The values of a factor of a study. */
export function factorValuesKey(userId: number, studyId: string, place: number): string {
  return `${sweepPrefix(userId, studyId)}values-${place}.parquet`;
}

const EXPIRING_KEY = /^users\/\d+\/sweeps\/[0-9a-f-]{36}\/(cells|values-\d+)\.parquet$/;

/** Whether a key is of a file of a sweep or a factor study that expires before its result. */
export function isExpiringSweepFile(key: string): boolean {
  return EXPIRING_KEY.test(key);
}

/** The result of a sweep. */
export function sweepResultKey(userId: number, sweepId: string): string {
  return `${sweepPrefix(userId, sweepId)}result.json`;
}

const SWEEP_KEY = /^users\/\d+\/sweeps\/([0-9a-f-]{36})\//;

/** The id of the sweep that a key belongs to; null: none. */
export function sweepOfKey(key: string): string | null {
  return SWEEP_KEY.exec(key)?.[1] ?? null;
}

/** The metadata of the table of a kept run. `prefix`: that of the run. */
export function keptTableKey(prefix: string): string {
  return `${prefix}metadata/v1.metadata.json`;
}

const KEPT_TABLE_KEY =
  /^users\/(\d+)\/(?:sweeps\/[0-9a-f-]{36}\/cells\.parquet|(?:sweeps\/[0-9a-f-]{36}|backtests\/\d+)\/(?:metadata|data)\/[\w.-]+)$/;

/** The account whose table has an object; null: it is not one of a kept run's table. */
export function ownerOfTableKey(key: string): number | null {
  const id = KEPT_TABLE_KEY.exec(key)?.[1];
  return id === undefined ? null : Number(id);
}

/** A file that an account sends, until its job has read it. `at`: when it begins to come. */
export function uploadKey(userId: number, at: number, unique: string): string {
  return `${accountPrefix(userId)}uploads/${at}-${unique}`;
}

const UPLOAD_KEY = /^users\/\d+\/uploads\/(\d+)-/;

/** When a file that an account sends began to come, epoch milliseconds; null: the key is of no such file. */
export function uploadTimeOf(key: string): number | null {
  const at = UPLOAD_KEY.exec(key)?.[1];
  return at === undefined ? null : Number(at);
}

/** Results of queries, deleted with their runs. */
export const SQL_RESULTS_PREFIX = 'sql-results/';

/** The result of a query in a format. */
export function sqlResultKey(runId: string, format: string): string {
  return `${SQL_RESULTS_PREFIX}${runId}/result.${format}`;
}

/** The id of the run that a query result belongs to. */
export function runOfSqlResult(key: string): string {
  return key.split('/')[1];
}

export interface ExportFileId {
  readonly userId: number;
  readonly exportId: number;
  readonly attempt: number;
  /** File extension, without the dot. */
  readonly format: string;
}

/** The file of one attempt at an export. Each attempt has its own key, so that a slow one does not overwrite a later one. */
export function exportKey({ userId, exportId, attempt, format }: ExportFileId): string {
  return `${accountPrefix(userId)}exports/${exportId}/${attempt}.${format}`;
}

const EXPORT_KEY = /^users\/\d+\/exports\/(\d+)\//;

/** The id of the export that a key belongs to; null: none. */
export function exportOfKey(key: string): number | null {
  const id = EXPORT_KEY.exec(key)?.[1];
  return id === undefined ? null : Number(id);
}

/** Earlier versions remove unknown objects under the prefix of the bars, so the means have another prefix. */
const SNAPSHOT_BARS = 'snapshots/';
const SNAPSHOT_MEANS = 'snapshot-means/';

/** Objects of all snapshots. */
export const SNAPSHOT_PREFIXES = [SNAPSHOT_BARS, SNAPSHOT_MEANS] as const;

/** Describes the newest snapshot for other readers of the bucket; the service reads the table instead. */
export const SNAPSHOT_MANIFEST_KEY = `${SNAPSHOT_BARS}manifest.json`;

/** The two objects of a snapshot. `unique` distinguishes snapshots of the same moment. */
export function snapshotKeys(at: Date, unique: string): { readonly bars: string; readonly means: string } {
  const name = `${at.toISOString().replaceAll(/[:.]/g, '-')}-${unique}.arrow`;
  return { bars: `${SNAPSHOT_BARS}${name}`, means: `${SNAPSHOT_MEANS}${name}` };
}

const PAST_SNAPSHOT_BARS = 'past-snapshots/';
const PAST_SNAPSHOT_MEANS = 'past-snapshot-means/';

/** Objects of the snapshots of past days. */
export const PAST_SNAPSHOT_PREFIXES = [PAST_SNAPSHOT_BARS, PAST_SNAPSHOT_MEANS] as const;

/** The two objects of the snapshot of a past day. `unique` distinguishes snapshots of the same day. */
export function pastSnapshotKeys(day: string, unique: string): { readonly bars: string; readonly means: string } {
  const name = `${day}-${unique}.arrow`;
  return { bars: `${PAST_SNAPSHOT_BARS}${name}`, means: `${PAST_SNAPSHOT_MEANS}${name}` };
}

/** Copies of the files of the lake under fixed paths, which nobody writes any more. */
export const FORMER_LAKE_PREFIX = 'lake/v1/';

/** Objects of the lake, the tables of the market. */
export const TABLES_PREFIX = 'lake/tables/';

/** Objects of one table. `table`: with its namespace, such as `market.daily_bars`. */
export function tablePrefix(table: string): string {
  return `${TABLES_PREFIX}${table.replace('.', '/')}`;
}

/** A data file of a table, named by the SHA-256 of its content. */
export function tableDataKey(table: string, sha256: string): string {
  return `${tablePrefix(table)}/data/${sha256}.parquet`;
}

/** The object of a file of the lake. `path`: as it is listed; it begins with the name of its table. */
export function lakeDataKey({ path, sha256 }: { readonly path: string; readonly sha256: string }): string {
  return tableDataKey(`market.${path.split(/[/.]/)[0]}`, sha256);
}

/** A file that describes a table. */
export function tableMetadataKey(table: string, name: string): string {
  return `${tablePrefix(table)}/metadata/${name}`;
}

/** Files of the differences that comparisons have found. */
export const COMPARISONS_PREFIX = 'comparisons/';

/** The differences that a comparison has found. */
export function comparisonKey(id: number): string {
  return `${COMPARISONS_PREFIX}${id}.parquet`;
}

/** A backup. `prefix`: that of backups in their bucket. `unique` distinguishes those of the same moment. */
export function backupKey(prefix: string, at: Date, unique: string): string {
  return `${prefix}${at.toISOString().replaceAll(/[:.]/g, '-')}-${unique}.backup`;
}

/** The object of test writes to a bucket, always the same one. */
export const PROBE_KEY = 'probe';
