/** The rows of a version of a column as CSV, as they can be sent again. */
import type { Queryable } from '../../db/pool.ts';
import { streamColumnRows } from '../../db/research/column-reads.ts';
import { type OwnColumn, WHOLE_MARKET } from '../../db/research/own-columns.ts';
import { formatDayCached } from '../../engine/market/dates.ts';
import { formatKnownAt } from '../../engine/market/known-at.ts';
import type { ColumnRows } from '../../engine/market/own-columns.ts';
import { quotedField } from '../providers/text-chunks.ts';

/** Rows of some instruments at a time. `symbols`: by id; an instrument that is gone has its id. */
export async function* columnCsv(
  db: Queryable,
  column: OwnColumn,
  symbols: ReadonlyMap<number, string>,
): AsyncGenerator<string> {
  yield column.isMarket ? 'date,known_at,value\n' : 'symbol,date,known_at,value\n';
  for await (const [instrument, rows] of streamColumnRows(db, column)) {
    const symbol = instrument === WHOLE_MARKET ? '' : `${symbols.get(instrument) ?? instrument},`;
    yield linesOf(column, symbol, rows);
  }
}

function linesOf({ kind, labels }: OwnColumn, symbol: string, rows: ColumnRows): string {
  const { date, knownDay, knownSecond, value } = rows;
  let lines = '';
  for (let i = 0; i < date.length; i++) {
    const written = Number.isNaN(value[i]) ? '' : kind === 'label' ? quotedField(labels[value[i]]) : value[i];
    lines += `${symbol}${formatDayCached(date[i])},${formatKnownAt(knownDay[i], knownSecond[i])},${written}\n`;
  }
  return lines;
}
