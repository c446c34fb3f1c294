/** Strategies that accounts have written, with all their versions. */

import type { Connection, Queryable } from '../pool.ts';
import type { Page, PageRequest } from '../query-builder.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection } from '../schema/tables.ts';

const HEAD = selection(
  'own_strategies',
  {
    id: 'id',
    userId: 'user_id',
    name: 'name',
    newestVersion: 'version',
    slug: 'slug',
    isShared: 'is_shared',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
  's',
);
const VERSION = selection(
  'own_strategy_versions',
  { version: 'version', description: 'description', rules: 'rules', parameters: 'parameters' },
  'v',
);

/** One version of a strategy. */
export type OwnStrategy = Selected<typeof HEAD> & Selected<typeof VERSION>;

/** The part of a strategy that its versions differ in. */
export type StrategyContent = Pick<OwnStrategy, 'description' | 'rules' | 'parameters'>;

const STRATEGIES = `own_strategies s join own_strategy_versions v on v.strategy_id = s.id`;

/** By name. */
export async function selectOwnStrategies(
  db: Queryable,
  userId: number,
  { page, size }: PageRequest,
): Promise<Page<OwnStrategy>> {
  const total = await countOwnStrategies(db, userId);
  const { rows } = await db.query<OwnStrategy>(
    `select ${HEAD.sql}, ${VERSION.sql} from ${STRATEGIES} and v.version = s.version
     where s.user_id = $1 order by s.name, s.id limit $2 offset $3`,
    [userId, size, (page - 1) * size],
  );
  return { total, items: rows };
}

export async function countOwnStrategies(db: Queryable, userId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from own_strategies where user_id = $1',
    [userId],
  );
  return rows[0].count;
}

/** The newest version, or the given one. Null when the account has no such strategy, or the strategy no such version. */
export async function selectOwnStrategy(
  db: Queryable,
  userId: number,
  id: number,
  version: number | null = null,
): Promise<OwnStrategy | null> {
  const { rows } = await db.query<OwnStrategy>(
    `select ${HEAD.sql}, ${VERSION.sql} from ${STRATEGIES} and v.version = coalesce($3, s.version)
     where s.user_id = $1 and s.id = $2`,
    [userId, id, version],
  );
  return rows[0] ?? null;
}

export async function selectSharedStrategy(db: Queryable, slug: string): Promise<OwnStrategy | null> {
  const { rows } = await db.query<OwnStrategy>(
    `select ${HEAD.sql}, ${VERSION.sql} from ${STRATEGIES} and v.version = s.version where s.slug = $1 and s.is_shared`,
    [slug],
  );
  return rows[0] ?? null;
}

export type StrategyVersion = Pick<Rows['own_strategy_versions'], 'version' | 'created_at'>;

/** Newest first. */
export async function selectStrategyVersions(db: Queryable, id: number): Promise<StrategyVersion[]> {
  const { rows } = await db.query<StrategyVersion>(
    'select version, created_at from own_strategy_versions where strategy_id = $1 order by version desc',
    [id],
  );
  return rows;
}

export interface NamedContent extends StrategyContent {
  readonly name: string;
}

/** Its first version. Null when the account has a strategy of that name. */
export async function insertOwnStrategy(
  connection: Connection,
  userId: number,
  { name, ...content }: NamedContent,
  at: Date,
): Promise<number | null> {
  const { rows } = await connection.query<Pick<Rows['own_strategies'], 'id'>>(
    `insert into own_strategies (user_id, name, version, created_at, updated_at) values ($1, $2, 1, $3, $3)
     on conflict (user_id, name) do nothing returning id`,
    [userId, name, at],
  );
  if (rows.length === 0) return null;
  await insertVersion(connection, rows[0].id, 1, content, at);
  return rows[0].id;
}

async function insertVersion(
  connection: Connection,
  id: number,
  version: number,
  { description, rules, parameters }: StrategyContent,
  at: Date,
): Promise<void> {
  await connection.query(
    `insert into own_strategy_versions (strategy_id, version, description, rules, parameters, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, version, description, JSON.stringify(rules), JSON.stringify(parameters), at],
  );
}

/** Adds a version, perhaps with another name. Throws a unique violation when another strategy has the name. */
export async function replaceOwnStrategy(
  connection: Connection,
  { id, newestVersion }: Pick<OwnStrategy, 'id' | 'newestVersion'>,
  { name, ...content }: NamedContent,
  at: Date,
): Promise<void> {
  const version = newestVersion + 1;
  await connection.query('update own_strategies set name = $2, version = $3, updated_at = $4 where id = $1', [
    id,
    name,
    version,
    at,
  ]);
  await insertVersion(connection, id, version, content, at);
}

export async function deleteOwnStrategy(db: Queryable, userId: number, id: number): Promise<boolean> {
  const { rowCount } = await db.query('delete from own_strategies where user_id = $1 and id = $2', [userId, id]);
  return rowCount === 1;
}

/** Shares a strategy or revokes the sharing. It keeps its first slug. Null when the account has no such strategy. */
export async function updateStrategySharing(
  db: Queryable,
  key: { readonly userId: number; readonly id: number },
  { isShared, newSlug }: { readonly isShared: boolean; readonly newSlug: string },
): Promise<Pick<Rows['own_strategies'], 'slug' | 'is_shared'> | null> {
  const { rows } = await db.query<Pick<Rows['own_strategies'], 'slug' | 'is_shared'>>(
    `update own_strategies set is_shared = $3, slug = case when $3 then coalesce(slug, $4) else slug end
     where id = $2 and user_id = $1 returning slug, is_shared`,
    [key.userId, key.id, isShared, newSlug],
  );
  return rows[0] ?? null;
}
