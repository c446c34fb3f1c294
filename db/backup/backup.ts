/** Copies every row of our tables out of a database and into one, by COPY in text format. */

import type { Readable, Writable } from 'node:stream';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Connection, Queryable } from '../pool.ts';
import { IS_UNDER_WAY } from '../runs/runs.ts';

export interface TableShape {
  readonly name: string;
  /** In the order of COPY, without generated columns. */
  readonly columns: readonly string[];
}

export interface SequenceState {
  readonly table: string;
  readonly column: string;
  readonly lastValue: number;
  readonly isCalled: boolean;
}

/** Our tables, each after the tables that it refers to, without those of the migrations and of the queue. */
export async function selectTableShapes(db: Queryable): Promise<TableShape[]> {
  const { rows } = await db.query<TableShape & { refersTo: string[] }>(
    `select c.relname as name,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       (select coalesce(array_agg(distinct r.relname::text), '{}') from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as "refersTo"
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'knex%' order by 1`,
  );
  const ordered: TableShape[] = [];
  const waiting = new Map(rows.map((row) => [row.name, row]));
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ refersTo }) => !refersTo.some((name) => waiting.has(name)));
    if (ready.length === 0) throw new Error(`tables refer to each other in a cycle: ${[...waiting.keys()].join(', ')}`);
    for (const { name, columns } of ready) {
      ordered.push({ name, columns });
      waiting.delete(name);
    }
  }
  return ordered;
}

function copyTarget({ name, columns }: TableShape): string {
  return `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`;
}

/** Texts of values that do not depend on the settings of a server, until the transaction ends. */
export async function useOneFormat(connection: Connection): Promise<void> {
  await connection.query(
    `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
     set local extra_float_digits = 1; set local bytea_output = 'hex'; set local synchronize_seqscans = off`,
  );
}

/** The rows of a table, one per line. */
export function readTable(connection: Connection, table: TableShape): Readable {
  return connection.query(copyTo(`copy ${copyTarget(table)} to stdout`));
}

/** Takes the lines that `readTable` returns. */
export function writeTable(connection: Connection, table: TableShape): Writable {
  return connection.query(copyFrom(`copy ${copyTarget(table)} from stdin`));
}

/** The approximate size of the tables in bytes, to show progress. */
export async function estimateBytes(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    `select coalesce(sum(pg_table_size(oid)), 0)::bigint as bytes from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  return rows[0].bytes;
}

/** The counters of identity columns. Read them last: they do not follow the snapshot of a transaction, and only grow. */
export async function selectSequences(db: Queryable): Promise<SequenceState[]> {
  const { rows } = await db.query<{ table: string; column: string; sequence: string }>(
    `select c.relname as "table", a.attname as "column", pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attidentity <> '' order by 1, 2`,
  );
  const states: SequenceState[] = [];
  for (const { table, column, sequence } of rows) {
    const { rows: found } = await db.query<{ lastValue: number; isCalled: boolean }>(
      `select last_value as "lastValue", is_called as "isCalled" from ${sequence}`,
    );
    states.push({ table, column, lastValue: found[0].lastValue, isCalled: found[0].isCalled });
  }
  return states;
}

export async function restoreSequences(db: Queryable, sequences: readonly SequenceState[]): Promise<void> {
  for (const { table, column, lastValue, isCalled } of sequences) {
    await db.query('select setval(pg_get_serial_sequence(quote_ident($1), $2)::regclass, $3, $4)', [
      table,
      column,
      lastValue,
      isCalled,
    ]);
  }
}

/** Tables that have rows in every migrated database. */
const SEEDED = ['data_versions', 'limiter_clock'];

/** Names of the tables that have rows; empty for an unused database. */
export async function selectUsedTables(db: Queryable): Promise<string[]> {
  const used: string[] = [];
  for (const { name } of await selectTableShapes(db)) {
    if (SEEDED.includes(name)) continue;
    const { rowCount } = await db.query(`select from ${pg.escapeIdentifier(name)} limit 1`);
    if (rowCount !== 0) used.push(name);
  }
  return used;
}

/** Drops everything of the service except its queue, in the transaction that then restores it. */
export async function dropEverything(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ statement: string }>(
    `select format('drop view if exists %I cascade', relname) as statement from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'v'
     union all
     select format('drop table if exists %I cascade', relname) from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r'
     union all
     select format('drop function if exists %s cascade', p.oid::regprocedure) from pg_proc p
       where pronamespace = 'public'::regnamespace
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  );
  for (const { statement } of rows) await db.query(statement);
}

/** Deletes the rows that migrations inserted, before those of the backup replace them. */
export async function emptyTable(db: Queryable, { name }: TableShape): Promise<void> {
  await db.query(`delete from ${pg.escapeIdentifier(name)}`);
}

/** Switches the triggers of a table on or off, so that restored rows have no effects. */
export async function setTriggers(db: Queryable, { name }: TableShape, isOn: boolean): Promise<void> {
  await db.query(`alter table ${pg.escapeIdentifier(name)} ${isOn ? 'enable' : 'disable'} trigger user`);
}

export interface RestoredAccess {
  readonly sessions: number;
  readonly keys: number;
}

/**
 * Ends what must not continue after a restore: login sessions end, keys are disabled until an operator enables them (after
 * repeating the bans and deletions since the backup), and runs end, because their jobs no longer exist.
 */
export async function closeRestoredAccess(db: Queryable, at: Date): Promise<RestoredAccess> {
  const sessions = await db.query('update sessions set revoked_at = $1 where revoked_at is null', [at]);
  await db.query('delete from refresh_tokens');
  await db.query('delete from login_requests');
  await db.query('delete from oauth_records');
  await db.query('delete from api_keys where client_id is not null');
  await db.query('update users set token_version = token_version + 1');
  const keys = await db.query('update api_keys set enabled = false, disabled_by_restore = true where enabled');
  await db.query('delete from job_claims');
  // Among them is the one that is restored, whose object must stay.
  await db.query(`delete from backups where state = 'running'`);
  await db.query(`update runs set status = 'cancelled', finished_at = $1 where ${IS_UNDER_WAY}`, [at]);
  return { sessions: sessions.rowCount ?? 0, keys: keys.rowCount ?? 0 };
}

/** Enables the keys that a restore has disabled. Returns how many. */
export async function enableRestoredKeys(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    'update api_keys set enabled = true, disabled_by_restore = false where disabled_by_restore',
  );
  return rowCount ?? 0;
}
