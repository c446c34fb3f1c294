/**
 * Versions of the data that processes keep in memory. A change raises the version of its scope in its own transaction, and the
 * commit notifies every process.
 */
import type { Queryable } from '../pool.ts';
import { TABLES } from '../schema/tables.ts';

export const DATA_CHANGED_CHANNEL = 'data_changed';
export const DATA_SCOPES = TABLES.data_versions.scope.values;
export type DataScope = (typeof DATA_SCOPES)[number];

export async function bumpDataVersion(db: Queryable, scope: DataScope): Promise<void> {
  await db.query(
    `with bumped as (update data_versions set version = version + 1 where scope = $1 returning scope)
     select pg_notify('${DATA_CHANGED_CHANNEL}', scope) from bumped`,
    [scope],
  );
}

/** SQL: a query of one value. */
export const DATA_VERSION = `select string_agg(scope || '=' || version, ',' order by scope) from data_versions`;

/** All versions as one text. Equal texts mean equal data. */
export async function selectDataVersion(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ version: string }>({
    name: 'select_data_version',
    text: `select (${DATA_VERSION}) as version`,
  });
  return rows[0].version;
}
