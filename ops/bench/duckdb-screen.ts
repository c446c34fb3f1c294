/** The screen of the benchmark as a query of DuckDB: the hits of the last session, and what changed since the previous one. */
import { DuckDBInstance } from '@duckdb/node-api';
import type { MarketSnapshot } from '../../engine/screener/snapshot.ts';

/** Uses the average of the last 14 true ranges instead of Wilder's, which SQL cannot express; this is less work. */
export const SCREEN_SQL = `
  with ranked as (
    select *, row_number() over (partition by id order by day desc) as r,
      greatest(high - low, abs(high - before), abs(low - before)) as range
    from (select *, lag(close) over (partition by id order by day) as before from bars)),
  figures as (
    select id, ${figuresSql('now', 1)}, ${figuresSql('before', 2)}
    from ranked group by id),
  judged as (select ${hitSql('now')} as is_hit, ${hitSql('before')} as was_hit from figures)
  select count(*) filter (is_hit) as hits, count(*) filter (is_hit and not was_hit) as entered,
    count(*) filter (was_hit and not is_hit) as left
  from judged`;

/** The figures of the session whose bar has rank `r`, 1 for the newest. */
function figuresSql(name: string, r: number): string {
  return `max(close) filter (r = ${r}) as close_${name},
    avg(close) filter (r between ${r} and ${r + 199}) as sma_${name},
    max(high) filter (r between ${r} and ${r + 251}) as top_${name},
    max(volume) filter (r = ${r}) as volume_${name},
    avg(volume) filter (r between ${r + 1} and ${r + 20}) as usual_${name},
    avg(range) filter (r between ${r} and ${r + 13}) as atr_${name}`;
}

function hitSql(name: string): string {
  return `close_${name} > sma_${name} and 100 * close_${name} >= 95 * top_${name}
    and volume_${name} > 2 * usual_${name} and 100 * atr_${name} < 3 * close_${name}`;
}

/** Copies the bars of a snapshot into a table in memory. */
export async function openDuck({ bars, offsets, instrumentIds }: MarketSnapshot) {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(
    'create table bars (id integer, day integer, high double, low double, close double, volume double)',
  );
  const appender = await connection.createAppender('bars');
  for (let i = 0; i < instrumentIds.length; i++) {
    for (let t = offsets[i]; t < offsets[i + 1]; t++) {
      appender.appendInteger(instrumentIds[i]);
      appender.appendInteger(bars.day[t]);
      for (const column of [bars.high, bars.low, bars.close, bars.volume]) appender.appendDouble(column[t]);
      appender.endRow();
    }
  }
  appender.closeSync();
  return connection;
}
