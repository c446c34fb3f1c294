/** Accounts of every line of the files that loads have read. */
import { type Day, formatDay } from '../../engine/market/dates.ts';
import type { Queryable } from '../pool.ts';
import type { Page, PageRequest } from '../query-builder.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection } from '../schema/tables.ts';

const READING = selection(
  'file_readings',
  {
    path: 'path',
    layout: 'layout',
    bytes: 'bytes',
    modifiedMs: 'modified_ms',
    lines: 'lines',
    header: 'header',
    blank: 'blank',
    loaded: 'loaded',
    repeated: 'repeated',
    rejected: 'rejected',
    leftOut: 'left_out',
    reason: 'reason',
    firstLine: 'first_line',
    byReason: 'by_reason',
    rejectedLines: 'rejected_lines',
    told: 'told',
  },
  'r',
);

export type FileReading = Selected<typeof READING>;

/** Days of the bars of a reading; null: it has none. */
type ReadDays = readonly [first: Day, last: Day] | null;

/** Records readings. Of a file that was not read, one is kept as long as nothing changes. */
export async function insertFileReadings(
  db: Queryable,
  syncJobId: number,
  readings: readonly (FileReading & { readonly days: ReadDays; readonly tickers: readonly string[] | null })[],
): Promise<void> {
  if (readings.length === 0) return;
  const rows = readings.map(({ modifiedMs, leftOut, firstLine, byReason, rejectedLines, days, ...same }) => ({
    ...same,
    modified_ms: modifiedMs,
    left_out: leftOut,
    first_line: firstLine,
    by_reason: byReason,
    rejected_lines: rejectedLines,
    first_day: days && formatDay(days[0]),
    last_day: days && formatDay(days[1]),
  }));
  await db.query(
    `insert into file_readings
     select $1 as sync_job_id, path, layout, bytes, modified_ms, lines, header, blank, loaded, repeated, rejected, left_out,
       reason, first_line, by_reason, rejected_lines, told, first_day, last_day, tickers
     from jsonb_populate_recordset(null::file_readings, $2::jsonb) t
     where t.lines > 0 or not exists (
       select from (select * from file_readings o where o.path = t.path order by o.sync_job_id desc limit 1) o
       where (o.bytes, o.modified_ms) = (t.bytes, t.modified_ms) and o.reason is not distinct from t.reason)
     on conflict (sync_job_id, path) do update set
       (layout, bytes, modified_ms, lines, header, blank, loaded, repeated, rejected, left_out, reason, first_line, by_reason,
        rejected_lines, told, first_day, last_day, tickers)
       = (excluded.layout, excluded.bytes, excluded.modified_ms, excluded.lines, excluded.header, excluded.blank,
          excluded.loaded, excluded.repeated, excluded.rejected, excluded.left_out, excluded.reason, excluded.first_line,
          excluded.by_reason, excluded.rejected_lines, excluded.told, excluded.first_day, excluded.last_day, excluded.tickers)`,
    [syncJobId, JSON.stringify(rows).replaceAll('\\u0000', '\\ufffd')],
  );
}

/** SQL: the newest reading of each file up to a job ($1); a job of a list ($2) has only its own files. */
const NEWEST = `select distinct on (path) * from file_readings
  where case when $2 then sync_job_id <= $1 else sync_job_id = $1 end order by path, sync_job_id desc`;

/** The files of a load: the newest reading of each, those with something to tell first. A load of bars has all files of the folder. */
export async function selectFileReadings(
  db: Queryable,
  job: Pick<Rows['sync_jobs'], 'id' | 'job_type'>,
  { page, size }: PageRequest,
): Promise<Page<FileReading>> {
  const given = [job.id, job.job_type === 'daily_bars'];
  const { rows: counted } = await db.query<{ total: number }>(
    `select count(*)::int as total from (${NEWEST}) r`,
    given,
  );
  const { rows } = await db.query<FileReading>(
    `select ${READING.sql} from (${NEWEST}) r order by (r.reason is null), (r.rejected = 0), r.path limit $3 offset $4`,
    [...given, size, (page - 1) * size],
  );
  return { total: counted[0].total, items: rows };
}

/** Tells something of a ticker in the account of the files that have its bars of a day or the days after it. */
export async function tellOfTicker(db: Queryable, ticker: string, day: Day, sentence: string): Promise<void> {
  await db.query(
    `update file_readings r set told = told || jsonb_build_array($3::text)
     where tickers @> array[$1] and $2::date + 7 >= first_day and last_day >= $2 and not told ? $3
       and sync_job_id = (select max(o.sync_job_id) from file_readings o where o.path = r.path)`,
    [ticker, formatDay(day), sentence],
  );
}

/** The state in which each file was read last, by path. */
export async function selectReadFiles(db: Queryable): Promise<Map<string, Pick<FileReading, 'bytes' | 'modifiedMs'>>> {
  const { rows } = await db.query<Pick<FileReading, 'path' | 'bytes' | 'modifiedMs'>>(
    `select distinct on (path) path, bytes, modified_ms as "modifiedMs" from file_readings order by path, sync_job_id desc`,
  );
  return new Map(rows.map(({ path, ...state }) => [path, state]));
}

/** Everything that loads have read from a file, also in earlier states of it. */
export interface ReadFile {
  readonly path: string;
  /** First and last day of its bars; null: it had none. */
  readonly start: string | null;
  readonly end: string | null;
  /** Tickers of its bars or events; null: it had none, or a list has its instruments. */
  readonly tickers: readonly string[] | null;
}

/** SQL: every file that a load has read, and whether it was not loaded when it was read last, or lines of it were rejected. */
const READ_FILES = `
  select path, min(first_day) as first_day, max(last_day) as last_day,
    bool_or(first_day is not null and tickers is null) as has_all,
    (select array_agg(distinct ticker) from file_readings o, unnest(o.tickers) ticker where o.path = r.path) as tickers,
    (array_agg(reason is not null or rejected > coalesce((by_reason ->> 'unknown_instrument')::bigint, 0)
      order by sync_job_id desc))[1] as is_partial
  from file_readings r group by path having bool_or(layout is not null)`;

/** Which of the files a load has read. */
export async function selectFilesRead(db: Queryable, paths: readonly string[]): Promise<ReadFile[]> {
  const { rows } = await db.query<ReadFile>(
    `select path, first_day as start, last_day as end, case when not has_all then tickers end as tickers
     from (${READ_FILES}) f where path = any($1) order by path`,
    [paths],
  );
  return rows;
}

/** Other files that are gone or not loaded whole, with bars or events of the same instruments and days as these. */
export async function selectPartialFilesBeside(db: Queryable, paths: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ path: string }>(
    `with files as materialized (${READ_FILES})
     select other.path from files other
     where other.is_partial and not other.path = any($1) and exists (
       select from files one where one.path = any($1)
         and coalesce(one.first_day <= other.last_day and other.first_day <= one.last_day, true)
         and (one.has_all or other.has_all or one.tickers && other.tickers))
     order by other.path`,
    [paths],
  );
  return rows.map(({ path }) => path);
}

/** Forgets that a file was ever read. */
export async function deleteFileReadings(db: Queryable, path: string): Promise<void> {
  await db.query('delete from file_readings where path = $1', [path]);
}

/** The state of files for which the newest successful job of each list was queued. */
export async function selectListStates(db: Queryable): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await db.query<{ job_type: string; files: string | null }>(
    `select distinct on (job_type) job_type, request ->> 'files' as files from sync_jobs
     where status = 'ok' and job_type <> 'daily_bars' and requested_by = 'scheduler' order by job_type, id desc`,
  );
  return new Map(rows.map(({ job_type, files }) => [job_type, files]));
}

interface FileCounts {
  readonly files: number;
  /** Files that are loaded, at least in part. */
  readonly loaded: number;
}

/** Counts the files of the folder by their newest readings. */
export async function countFiles(db: Queryable): Promise<FileCounts> {
  const { rows } = await db.query<FileCounts>(
    `select count(*)::int as files, count(*) filter (where reason is null)::int as loaded
     from (select distinct on (path) * from file_readings order by path, sync_job_id desc) r
     where r.reason is null or not (r.reason in ('hidden', 'settings', 'ignored') or r.reason like 'it is gone%')`,
  );
  return rows[0];
}
