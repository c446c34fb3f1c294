/** Backtests that accounts have kept. Their trades, candles, and equity curves are stored objects. */

import type { DayValue } from '../log/visit-counts.ts';
import type { Connection, Queryable } from '../pool.ts';
import { type Page, type PageRequest, selectPage, statements } from '../query-builder.ts';
import { CREATED_DAY, conditionOf, type RunWord, type WordPlaces } from '../run-words.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection, TABLES } from '../schema/tables.ts';

export const KEPT_RUN = selection('backtests', {
  id: 'id',
  userId: 'user_id',
  kind: 'kind',
  createdAt: 'created_at',
  isCached: 'is_cached',
  summary: 'summary',
  spec: 'spec',
  selection: 'selection',
  slug: 'slug',
  isShared: 'is_shared',
  verdict: 'verdict',
  verifiedAt: 'verified_at',
  lookAhead: 'look_ahead',
  name: 'name',
  tags: 'tags',
  line: 'line',
  revised: 'revised',
});

export type KeptRun = Selected<typeof KEPT_RUN>;
export const KEPT_KINDS = TABLES.backtests.kind.values;
export type KeptKind = KeptRun['kind'];

/** Names what an account keeps; what belongs to another account or is of the other kind is not found. */
export type KeptKey = Pick<KeptRun, 'kind' | 'userId' | 'id'>;

type NewKeptRun = Pick<KeptRun, 'userId' | 'kind' | 'createdAt' | 'isCached' | 'spec' | 'selection' | 'line'> & {
  readonly summary: string;
};

const SAVE_LOCK = 7_305;

/**
 * Keeps a run, in a transaction that also stores its objects. The search for orphans waits until such transactions have
 * ended. Returns the id.
 */
export async function insertKeptRun(connection: Connection, run: NewKeptRun): Promise<number> {
  await connection.query('select pg_advisory_xact_lock_shared($1, 0)', [SAVE_LOCK]);
  const { userId, kind, createdAt, isCached, summary, spec, selection: selected, line } = run;
  const { rows } = await connection.query<Pick<Rows['backtests'], 'id'>>(
    `insert into backtests (user_id, kind, created_at, is_cached, summary, spec, selection, line)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [userId, kind, createdAt, isCached, summary, spec, selected, line],
  );
  return rows[0].id;
}

/** Deletes all kept runs of an account except the newest `max`. Returns the ids of the deleted ones. */
export async function evictKeptRuns(connection: Connection, userId: number, max: number): Promise<number[]> {
  const { rows } = await connection.query<Pick<Rows['backtests'], 'id'>>(
    `delete from backtests where user_id = $1 and id in (
       select id from backtests where user_id = $1 order by id desc offset $2) returning id`,
    [userId, max],
  );
  return rows.map(({ id }) => id);
}

export async function countKeptRuns(db: Queryable, userId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from backtests where user_id = $1',
    [userId],
  );
  return rows[0].count;
}

export async function selectKeptRun(db: Queryable, { kind, userId, id }: KeptKey): Promise<KeptRun | null> {
  const { rows } = await db.query<KeptRun>(
    `select ${KEPT_RUN.sql} from backtests where id = $2 and user_id = $1 and kind = $3`,
    [userId, id, kind],
  );
  return rows[0] ?? null;
}

export interface KeptRunFilter {
  readonly kind?: KeptKind;
  /** Any of these, as `<TICKER>.US`. */
  readonly symbols?: readonly string[];
  readonly strategy?: string;
  /** First and last moment of the creation, both included. */
  readonly start?: Date;
  readonly end?: Date;
  readonly words?: readonly RunWord[];
}

/** Newest first, unless a word asks for the best. */
export async function selectKeptRuns(
  db: Queryable,
  userId: number,
  { kind, symbols, strategy, start, end, words = [] }: KeptRunFilter,
  page: PageRequest,
): Promise<Page<KeptRun>> {
  const { rowsOf } = await statements();
  const matching = rowsOf('backtests', { user_id: userId });
  if (kind !== undefined) matching.where('kind', kind);
  if (symbols !== undefined) matching.whereRaw(`summary ->> 'symbol' = any(?)`, [[...symbols]]);
  if (strategy !== undefined) matching.whereRaw(`summary ->> 'strategy' = ?`, [strategy]);
  for (const word of words) matching.whereRaw(...conditionOf(word, WORDS_OF));
  if (start !== undefined) matching.where('created_at', '>=', start);
  if (end !== undefined) matching.where('created_at', '<=', end);
  const isByReturn = words.some((word) => word.in === 'best');
  return selectPage(db, matching, page, (backtests) => {
    const listed = backtests.select(KEPT_RUN.columns);
    return (isByReturn ? listed.orderByRaw(`${RETURN} desc nulls last`) : listed).orderBy('id', 'desc');
  });
}

const summaryText = (key: string) => `summary ->> '${key}'`;

const RETURN = `(${summaryText('total_pnl_pct')})::float8`;

const WORDS_OF: WordPlaces = {
  kind: ['kind'],
  strategy: [summaryText('strategy')],
  tag: ["array_to_string(tags, ' ')"],
  created: [CREATED_DAY],
  return: [RETURN],
  any: [
    'name',
    "array_to_string(tags, ' ')",
    ...['symbol', 'symbols', 'strategy', 'time_range'].map(summaryText),
    "summary #>> '{rules,entry}'",
    "summary #>> '{rotation,score}'",
    "summary #>> '{question,condition}'",
  ],
};

/** Names and tags a kept run; what is undefined stays. Null when the account has no such run. */
export async function updateLabels(
  db: Queryable,
  { kind, userId, id }: KeptKey,
  { name, tags }: { readonly name?: string | null; readonly tags?: readonly string[] },
): Promise<KeptRun | null> {
  const { rows } = await db.query<KeptRun>(
    `update backtests set name = case when $4 then $5 else name end, tags = coalesce($6::text[], tags)
     where id = $2 and user_id = $1 and kind = $3 returning ${KEPT_RUN.sql}`,
    [userId, id, kind, name !== undefined, name ?? null, tags ?? null],
  );
  return rows[0] ?? null;
}

/** The ids of the rotations that an account has kept, newest first. */
export async function selectRotations(db: Queryable, userId: number): Promise<number[]> {
  const { rows } = await db.query<Pick<Rows['backtests'], 'id'>>(
    `select id from backtests where user_id = $1 and kind = 'portfolio' and spec::jsonb ? 'universe' order by id desc`,
    [userId],
  );
  return rows.map(({ id }) => id);
}

export async function selectSharedRun(
  db: Queryable,
  { kind, slug }: { readonly kind: KeptKind; readonly slug: string },
): Promise<KeptRun | null> {
  const { rows } = await db.query<KeptRun>(
    `select ${KEPT_RUN.sql} from backtests where slug = $1 and is_shared and kind = $2`,
    [slug, kind],
  );
  return rows[0] ?? null;
}

export async function deleteKeptRun(db: Queryable, { kind, userId, id }: KeptKey): Promise<boolean> {
  const { rowCount } = await db.query('delete from backtests where id = $2 and user_id = $1 and kind = $3', [
    userId,
    id,
    kind,
  ]);
  return rowCount === 1;
}

/** Shares a backtest or revokes the sharing. It keeps its first slug. Null when the account has no such backtest. */
export async function updateSharing(
  db: Queryable,
  { kind, userId, id }: KeptKey,
  { isShared, newSlug }: { readonly isShared: boolean; readonly newSlug: string },
): Promise<KeptRun | null> {
  const { rows } = await db.query<KeptRun>(
    `update backtests set is_shared = $3, slug = case when $3 then coalesce(slug, $4) else slug end
     where id = $2 and user_id = $1 and kind = $5 returning ${KEPT_RUN.sql}`,
    [userId, id, isShared, newSlug, kind],
  );
  return rows[0] ?? null;
}

/** Which of the ids are kept, after every running save has ended. */
export async function selectKeptIds(connection: Connection, ids: readonly number[]): Promise<Set<number>> {
  await connection.query('select pg_advisory_xact_lock($1, 0)', [SAVE_LOCK]);
  const { rows } = await connection.query<Pick<Rows['backtests'], 'id'>>(
    'select id from backtests where id = any($1::bigint[])',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Kept backtests by day of creation, since a day (YYYY-MM-DD, UTC). */
export async function selectBacktestsPerDay(db: Queryable, since: string): Promise<DayValue[]> {
  const { rows } = await db.query<DayValue>(
    `select (created_at at time zone 'UTC')::date as day, count(*) as value from backtests
     where created_at >= $1::date::timestamp at time zone 'UTC' group by 1`,
    [since],
  );
  return rows;
}

export async function selectAllBacktestIds(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<Pick<Rows['backtests'], 'id'>>('select id from backtests');
  return rows.map(({ id }) => id);
}

export async function deleteBacktestsById(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query('delete from backtests where id = any($1::bigint[])', [ids]);
}
