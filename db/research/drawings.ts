/** Drawings of accounts on the charts of instruments. */
import type { Queryable } from '../pool.ts';
import type { DrawnShape } from '../schema/research.ts';
import type { Rows } from '../schema/tables.ts';

/** An account and an instrument. */
interface Chart {
  readonly userId: number;
  readonly instrumentId: number;
}

export interface Drawing {
  readonly id: number;
  readonly shape: DrawnShape;
}

/** Oldest first. */
export async function selectDrawings(db: Queryable, { userId, instrumentId }: Chart): Promise<Drawing[]> {
  const { rows } = await db.query<Drawing>(
    'select id, shape from drawings where user_id = $1 and instrument_id = $2 order by id',
    [userId, instrumentId],
  );
  return rows;
}

/** How many drawings a chart has, and all charts of the account. */
export async function countDrawings(
  db: Queryable,
  { userId, instrumentId }: Chart,
): Promise<{ readonly onChart: number; readonly ofAccount: number }> {
  const { rows } = await db.query<{ onChart: number; ofAccount: number }>(
    `select count(*) filter (where instrument_id = $2)::int as "onChart", count(*)::int as "ofAccount"
     from drawings where user_id = $1`,
    [userId, instrumentId],
  );
  return rows[0];
}

export async function insertDrawing(
  db: Queryable,
  { userId, instrumentId }: Chart,
  shape: DrawnShape,
  at: Date,
): Promise<number> {
  const { rows } = await db.query<Pick<Rows['drawings'], 'id'>>(
    'insert into drawings (user_id, instrument_id, shape, created_at) values ($1, $2, $3, $4) returning id',
    [userId, instrumentId, JSON.stringify(shape), at],
  );
  return rows[0].id;
}

/** False: the account has no such drawing on the chart. */
export async function deleteDrawing(db: Queryable, { userId, instrumentId }: Chart, id: number): Promise<boolean> {
  const { rowCount } = await db.query('delete from drawings where user_id = $1 and instrument_id = $2 and id = $3', [
    userId,
    instrumentId,
    id,
  ]);
  return rowCount === 1;
}
