/** Watches of accounts: strategies that are evaluated after each load. */

import type { Queryable } from '../pool.ts';
import { type Page, type PageRequest, selectPage, statements } from '../query-builder.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection } from '../schema/tables.ts';

const WATCH = selection('watches', {
  id: 'id',
  userId: 'user_id',
  name: 'name',
  strategy: 'strategy',
  strategyId: 'strategy_id',
  strategyVersion: 'strategy_version',
  params: 'params',
  instrumentIds: 'instrument_ids',
  screen: 'screen',
  rotation: 'rotation',
  sendsMail: 'sends_mail',
  createdAt: 'created_at',
});

/** The newest session at which a watch was evaluated. */
const EVALUATED = '(select max(session) from signal_evaluations e where e.watch_id = watches.id)';

/** A watch as its row has it. */
type StoredWatch = Selected<typeof WATCH>;
export type NewWatch = Omit<StoredWatch, 'id'>;
export interface Watch extends StoredWatch {
  /** YYYY-MM-DD; null: it was never evaluated. */
  readonly evaluated: string | null;
}

export async function countWatches(db: Queryable, userId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*)::int as count from watches where user_id = $1', [
    userId,
  ]);
  return rows[0].count;
}

/** By name. */
export async function selectWatches(db: Queryable, userId: number, page: PageRequest): Promise<Page<Watch>> {
  const { raw, rowsOf } = await statements();
  return selectPage(db, rowsOf('watches', { user_id: userId }), page, (watches) =>
    watches.select({ ...WATCH.columns, evaluated: raw(EVALUATED) }).orderBy('name'),
  );
}

/** Null when the account has no such watch. */
export async function selectWatch(db: Queryable, userId: number, id: number): Promise<Watch | null> {
  const { rows } = await db.query<Watch>(
    `select ${WATCH.sql}, ${EVALUATED} as evaluated from watches where user_id = $1 and id = $2`,
    [userId, id],
  );
  return rows[0] ?? null;
}

/** Throws a unique violation when the account has a watch of that name. */
export async function insertWatch(db: Queryable, watch: NewWatch): Promise<number> {
  const { rows } = await db.query<Pick<Rows['watches'], 'id'>>(
    `insert into watches (user_id, name, strategy, strategy_id, strategy_version, params, instrument_ids, screen,
       rotation, sends_mail, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
    [
      watch.userId,
      watch.name,
      watch.strategy,
      watch.strategyId,
      watch.strategyVersion,
      JSON.stringify(watch.params),
      watch.instrumentIds,
      watch.screen === null ? null : JSON.stringify(watch.screen),
      watch.rotation === null ? null : JSON.stringify(watch.rotation),
      watch.sendsMail,
      watch.createdAt,
    ],
  );
  return rows[0].id;
}

/** Null when the account has no such watch. Throws a unique violation when another watch has the name. */
export async function updateWatch(
  db: Queryable,
  userId: number,
  id: number,
  { name = null, sendsMail = null }: { readonly name?: string | null; readonly sendsMail?: boolean | null },
): Promise<Watch | null> {
  const { rows } = await db.query<Watch>(
    `update watches set name = coalesce($3, name), sends_mail = coalesce($4, sends_mail)
     where user_id = $1 and id = $2 returning ${WATCH.sql}, ${EVALUATED} as evaluated`,
    [userId, id, name, sendsMail],
  );
  return rows[0] ?? null;
}

export async function deleteWatch(db: Queryable, userId: number, id: number): Promise<boolean> {
  const { rowCount } = await db.query('delete from watches where user_id = $1 and id = $2', [userId, id]);
  return rowCount === 1;
}

/** A watch that is not evaluated for a session over data of a version, with the rules of its saved strategy. */
export interface DueWatch extends StoredWatch {
  /** Null: a built-in strategy. */
  readonly rules: Rows['own_strategy_versions']['rules'] | null;
}

const FROM_WATCHES = `from watches join users u on u.id = watches.user_id and u.status = 'active'
  left join own_strategies s on s.id = watches.strategy_id
  left join own_strategy_versions v on v.strategy_id = s.id and v.version = coalesce(watches.strategy_version, s.version)`;

/** The rules of the saved strategies of some watches, by the id of the watch; watches of others have none. */
export async function selectWatchedRules(
  db: Queryable,
  watchIds: readonly number[],
): Promise<ReadonlyMap<number, DueWatch['rules']>> {
  const { rows } = await db.query<Pick<DueWatch, 'id' | 'rules'>>(
    `select watches.id, v.rules ${FROM_WATCHES} where watches.id = any($1) and v.rules is not null`,
    [watchIds],
  );
  return new Map(rows.map(({ id, rules }) => [id, rules]));
}

const IS_DUE = `not exists (select from signal_evaluations e
  where e.watch_id = watches.id and e.session = $1 and e.data_version = $2)`;

/** By id. Watches of accounts that are not active wait. */
export async function selectDueWatches(db: Queryable, session: string, dataVersion: string): Promise<DueWatch[]> {
  const { rows } = await db.query<DueWatch>(
    `select ${WATCH.sql}, v.rules ${FROM_WATCHES} where ${IS_DUE} order by watches.id`,
    [session, dataVersion],
  );
  return rows;
}

export async function hasDueWatch(db: Queryable, session: string, dataVersion: string): Promise<boolean> {
  const { rows } = await db.query<{ due: boolean }>(
    `select exists (select from watches join users u on u.id = watches.user_id and u.status = 'active' where ${IS_DUE}) as due`,
    [session, dataVersion],
  );
  return rows[0].due;
}
