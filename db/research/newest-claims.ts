/** Published claims in the months of this market, as a job has computed them last. */
import { type Pool, type Queryable, transaction } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';

export async function selectNewestClaims(db: Queryable): Promise<Rows['newest_claims'] | null> {
  const { rows } = await db.query<Rows['newest_claims']>('select made_of, computed_at, claims from newest_claims');
  return rows[0] ?? null;
}

/** Null: none are there. */
export async function selectClaimsState(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<Pick<Rows['newest_claims'], 'made_of'>>('select made_of from newest_claims');
  return rows[0]?.made_of ?? null;
}

export async function replaceNewestClaims(pool: Pool, row: Rows['newest_claims']): Promise<void> {
  await transaction(pool, async (connection) => {
    await connection.query('delete from newest_claims');
    await connection.query('insert into newest_claims (made_of, computed_at, claims) values ($1, $2, $3)', [
      row.made_of,
      row.computed_at,
      JSON.stringify(row.claims),
    ]);
  });
}
