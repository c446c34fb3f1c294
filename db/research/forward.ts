/** Forward records: sealed runs, and the chains of entries in which they go on. */
import { selectDataVersion } from '../market/data-versions.ts';
import { type Connection, type Pool, type Queryable, transaction } from '../pool.ts';
import { type Page, type PageRequest, selectPage, statements } from '../query-builder.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection } from '../schema/tables.ts';

export const FORWARD_RECORD = selection('forward_records', {
  id: 'id',
  userId: 'user_id',
  name: 'name',
  kind: 'kind',
  spec: 'spec',
  seal: 'seal',
  sealSha256: 'seal_sha256',
  sealedAt: 'sealed_at',
  sealedDay: 'sealed_day',
  days: 'days',
  returns: 'returns',
  market: 'market',
  bands: 'bands',
  loweredBands: 'lowered_bands',
  lowered: 'lowered',
  sealed: 'sealed',
  live: 'live',
  status: 'status',
  endedAt: 'ended_at',
  head: 'head',
  entries: 'entries',
  sessions: 'sessions',
  lastSession: 'last_session',
  baseEquity: 'base_equity',
  dataVersion: 'data_version',
  through: 'through',
  isShared: 'is_shared',
  slug: 'slug',
});

export type ForwardRecord = Selected<typeof FORWARD_RECORD>;
export type ForwardEntry = Omit<Rows['forward_entries'], 'record_id'>;

type NewRecord = Pick<
  ForwardRecord,
  'userId' | 'name' | 'kind' | 'spec' | 'seal' | 'sealSha256' | 'sealedAt' | 'sealedDay' | 'days' | 'returns' | 'market'
> &
  Pick<ForwardRecord, 'bands' | 'loweredBands' | 'lowered' | 'sealed'>;

/** How many records of an account go on. */
export async function countLiveRecords(db: Queryable, userId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from forward_records where user_id = $1 and status = 'live'`,
    [userId],
  );
  return rows[0].count;
}

export async function insertForwardRecord(db: Queryable, record: NewRecord): Promise<number> {
  const json = (value: object | null) => value && JSON.stringify(value);
  const { rows } = await db.query<Pick<Rows['forward_records'], 'id'>>(
    `insert into forward_records (user_id, name, kind, spec, seal, seal_sha256, head, sealed_at, sealed_day, days, returns,
       market, bands, lowered_bands, lowered, sealed)
     values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) returning id`,
    [
      record.userId,
      record.name,
      record.kind,
      JSON.stringify(record.spec),
      JSON.stringify(record.seal),
      record.sealSha256,
      record.sealedAt,
      record.sealedDay,
      record.days,
      record.returns,
      record.market,
      json(record.bands),
      json(record.loweredBands),
      record.lowered,
      JSON.stringify(record.sealed),
    ],
  );
  await insertHead(db, record.sealedAt, record.sealSha256);
  return rows[0].id;
}

/** Makes a digest public at the end of the day. */
async function insertHead(db: Queryable, at: Date, sha256: string): Promise<void> {
  await db.query(
    `insert into forward_heads (day, sha256) values (($1::timestamptz at time zone 'UTC')::date, $2) on conflict do nothing`,
    [at, sha256],
  );
}

/** Digests of the days before `today`, newest day first. */
export async function selectHeads(
  db: Queryable,
  today: string,
  page: PageRequest,
): Promise<Page<Rows['forward_heads']>> {
  const { rowsOf } = await statements();
  const past = rowsOf('forward_heads').where('day', '<', today);
  return selectPage(db, past, page, (heads) =>
    heads.select('day', 'sha256').orderBy([{ column: 'day', order: 'desc' }, { column: 'sha256' }]),
  );
}

/** Newest first. */
export async function selectForwardRecords(
  db: Queryable,
  userId: number,
  page: PageRequest,
): Promise<Page<ForwardRecord>> {
  const { rowsOf } = await statements();
  return selectPage(db, rowsOf('forward_records', { user_id: userId }), page, (records) =>
    records.select(FORWARD_RECORD.columns).orderBy('id', 'desc'),
  );
}

/** Null when the account has no such record. */
export async function selectForwardRecord(db: Queryable, userId: number, id: number): Promise<ForwardRecord | null> {
  const { rows } = await db.query<ForwardRecord>(
    `select ${FORWARD_RECORD.sql} from forward_records where user_id = $1 and id = $2`,
    [userId, id],
  );
  return rows[0] ?? null;
}

export async function selectSharedRecord(db: Queryable, slug: string): Promise<ForwardRecord | null> {
  const { rows } = await db.query<ForwardRecord>(
    `select ${FORWARD_RECORD.sql} from forward_records where slug = $1 and is_shared`,
    [slug],
  );
  return rows[0] ?? null;
}

/** Records of an account, ended ones included, and how many have ended. */
export async function countRecords(
  db: Queryable,
  userId: number,
): Promise<{ readonly records: number; readonly ended: number }> {
  const { rows } = await db.query<{ records: number; ended: number }>(
    `select count(*)::int as records, (count(*) filter (where status <> 'live'))::int as ended
     from forward_records where user_id = $1`,
    [userId],
  );
  return rows[0];
}

/** Null when the account has no such record. It keeps its first slug. */
export async function updateRecordSharing(
  db: Queryable,
  { userId, id }: Pick<ForwardRecord, 'userId' | 'id'>,
  { isShared, newSlug }: { readonly isShared: boolean; readonly newSlug: string },
): Promise<ForwardRecord | null> {
  const { rows } = await db.query<ForwardRecord>(
    `update forward_records set is_shared = $3, slug = case when $3 then coalesce(slug, $4) else slug end
     where user_id = $1 and id = $2 returning ${FORWARD_RECORD.sql}`,
    [userId, id, isShared, newSlug],
  );
  return rows[0] ?? null;
}

/** Oldest first. */
export async function selectEntries(db: Queryable, recordId: number): Promise<ForwardEntry[]> {
  const { rows } = await db.query<ForwardEntry>(
    `select number, session, kind, entry, sha256, appended_at from forward_entries where record_id = $1 order by number`,
    [recordId],
  );
  return rows;
}

/** The newest session that may be told, and the version of the data. */
export interface Newest {
  readonly dataVersion: string;
  readonly session: string;
}

/** Whether a record that goes on was not brought up to a version of the data and a session. */
const IS_DUE = `status = 'live' and (data_version is distinct from $1 or through is distinct from $2)`;

export async function hasDueRecord(db: Queryable, { dataVersion, session }: Newest): Promise<boolean> {
  const { rowCount } = await db.query(`select from forward_records where ${IS_DUE} limit 1`, [dataVersion, session]);
  return rowCount === 1;
}

/** By id, after `last`. */
export async function selectDueRecords(
  db: Queryable,
  { dataVersion, session }: Newest,
  last: number,
  limit: number,
): Promise<ForwardRecord[]> {
  const { rows } = await db.query<ForwardRecord>(
    `select ${FORWARD_RECORD.sql} from forward_records where ${IS_DUE} and id > $3 order by id limit $4`,
    [dataVersion, session, last, limit],
  );
  return rows;
}

/** How a record stands among the live ones of its account, oldest first, and what its owner may do. */
export interface Owner {
  /** 1: the oldest. */
  readonly place: number;
  readonly plan: Rows['users']['plan'];
  readonly planExpiresAt: Date | null;
  readonly status: Rows['users']['status'];
}

/** Null: the account was deleted. */
export async function selectOwner(
  db: Queryable,
  { id, userId }: Pick<ForwardRecord, 'id' | 'userId'>,
): Promise<Owner | null> {
  const { rows } = await db.query<Owner>(
    `select plan, plan_expires_at as "planExpiresAt", status,
       (select count(*)::int from forward_records where user_id = users.id and status = 'live' and id <= $2) as place
     from users where id = $1`,
    [userId, id],
  );
  return rows[0] ?? null;
}

/** Names the loads that have revised something since the record last grew, by which its sessions have other returns now. */
async function recordImpacts(
  connection: Connection,
  id: number,
  { before, after }: NonNullable<Growth['revised']>,
): Promise<void> {
  await connection.query(
    `insert into impacts (sync_job_id, forward_id, state, before, after, change)
     select distinct sync_job_id, $1::bigint, 'changed', $2::jsonb, $3::jsonb, $4::float8 from revisions
     where sync_job_id is not null and recorded_at >= coalesce(
       (select max(appended_at) from forward_entries where record_id = $1), (select sealed_at from forward_records where id = $1))
     on conflict (forward_id, sync_job_id) do update set after = excluded.after, change = excluded.change`,
    [id, { total_pnl_pct: before }, { total_pnl_pct: after }, Math.abs(after - before)],
  );
}

export interface Growth {
  /** The digest that the first of the entries follows. */
  readonly head: string;
  readonly entries: readonly Pick<ForwardEntry, 'session' | 'kind' | 'entry' | 'sha256'>[];
  /** Sessions with their entries. */
  readonly sessions: number;
  readonly baseEquity: number | null;
  readonly live: ForwardRecord['live'];
  readonly status: ForwardRecord['status'];
  /** The return since the seal as it was known before, and by what is known now, in percent; null: nothing was revised. */
  readonly revised: { readonly before: number; readonly after: number } | null;
  /** Up to which it was brought; null: it was not. */
  readonly newest: Newest | null;
  readonly at: Date;
}

/** Appends entries, all or none; false where another attempt has appended, or the record is gone. `tell`: in the same transaction. */
export function growRecord(
  pool: Pool,
  { id }: Pick<ForwardRecord, 'id'>,
  growth: Growth,
  tell: (connection: Connection) => Promise<void>,
): Promise<boolean> {
  const { head, entries, sessions, baseEquity, live, status, newest: brought, at } = growth;
  return transaction(pool, async (connection) => {
    const { rows } = await connection.query<Pick<ForwardRecord, 'entries'>>(
      `select entries from forward_records where id = $1 and head = $2 and status = 'live' for no key update`,
      [id, head],
    );
    if (rows.length === 0) return false;
    // Read while a load has changed them: the newer version is due next.
    if (brought !== null && (await selectDataVersion(connection)) !== brought.dataVersion) return false;
    if (growth.revised !== null) await recordImpacts(connection, id, growth.revised);
    const numbered = entries.map((entry, i) => ({ ...entry, number: rows[0].entries + 1 + i }));
    await connection.query(
      `insert into forward_entries (record_id, number, session, kind, entry, sha256, appended_at)
       select $1, e.number, e.session, e.kind, e.entry, e.sha256, $3
       from json_to_recordset($2) e (number integer, session date, kind text, entry json, sha256 text)`,
      [id, JSON.stringify(numbered), at],
    );
    const sessionsTold = entries.filter(({ kind }) => kind === 'session');
    const newest = entries.at(-1);
    await connection.query(
      `update forward_records set head = $2, entries = entries + $3, sessions = $4,
         last_session = coalesce($5, last_session), base_equity = coalesce(base_equity, $6), live = coalesce($7, live),
         status = $8, ended_at = case when $8 = 'live' then null else $9::timestamptz end,
         data_version = coalesce($10, data_version), through = coalesce($11, through)
       where id = $1`,
      [
        id,
        newest?.sha256 ?? head,
        entries.length,
        sessions,
        sessionsTold.at(-1)?.session ?? null,
        baseEquity,
        live && JSON.stringify(live),
        status,
        at,
        brought?.dataVersion ?? null,
        brought?.session ?? null,
      ],
    );
    if (newest === undefined) return true;
    await insertHead(connection, at, newest.sha256);
    await tell(connection);
    return true;
  });
}
