/** Creates accounts on the enterprise plan with one API key each, so that calls are authenticated and counted as in the service. */
import { newApiKey } from '../../api/access/tokens.ts';
import type { Pool } from '../../db/pool.ts';

/** Replaces the callers of earlier runs; returns the new keys. */
export async function replaceCallers(pool: Pool, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, newApiKey);
  await pool.query(`delete from users where email like 'bench-%@example.com'`);
  await pool.query('delete from rate_limits');
  const { rows } = await pool.query<{ id: number }>(
    `insert into users (email, name, language, plan, created_at)
     select 'bench-' || i || '@example.com', 'Bench', 'en', 'enterprise', now() from generate_series(1, $1::int) i
     returning id`,
    [count],
  );
  await pool.query(
    `insert into api_keys (user_id, name, key_hash, prefix, created_at, slot)
     select user_id, 'bench', key_hash, prefix, now(), 1
     from unnest($1::int[], $2::bytea[], $3::text[]) t (user_id, key_hash, prefix)`,
    [rows.map(({ id }) => id), keys.map(({ hash }) => hash), keys.map(({ prefix }) => prefix)],
  );
  return keys.map(({ plaintext }) => plaintext);
}
