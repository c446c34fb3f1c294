/** Bars that a load has read twice, compared with the ones that it has copied first. */
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import type { Connection } from '../pool.ts';
import { BarCopy } from './bar-copy.ts';

export interface BarKey {
  readonly instrumentId: number;
  readonly day: Day;
}

/** Opens the COPY of repeated bars, for the rest of the transaction. */
export async function copyRepeatedBars(connection: Connection, venueBasisCode: number): Promise<BarCopy> {
  await connection.query('create temp table if not exists bar_again (like daily_bars) on commit drop');
  return new BarCopy(connection, 'bar_again', venueBasisCode);
}

/** The bars of which another line has other figures. `table`: where the first lines are. */
export async function selectConflictingBars(
  connection: Connection,
  table: 'daily_bars' | 'bar_stage',
): Promise<BarKey[]> {
  const { rows } = await connection.query<{ id: number; day: string }>(
    `select distinct a.instrument_id as id, a.day from bar_again a join ${table} b using (instrument_id, basis, day)
     where (a.open, a.high, a.low, a.close, a.volume) <> (b.open, b.high, b.low, b.close, b.volume)`,
  );
  return rows.map(({ id, day }) => ({ instrumentId: id, day: requireDay(day) }));
}

/** Removes copied bars. */
export async function deleteCopiedBars(
  connection: Connection,
  table: 'daily_bars' | 'bar_stage',
  venueBasisCode: number,
  keys: readonly BarKey[],
): Promise<void> {
  await connection.query(
    `delete from ${table} b using unnest($2::int[], $3::date[]) t (id, day)
     where b.basis = $1 and (b.instrument_id, b.day) = (t.id, t.day)`,
    [venueBasisCode, keys.map(({ instrumentId }) => instrumentId), keys.map(({ day }) => formatDay(day))],
  );
}
