/** Long contents as rows of bounded size, so that no process needs the whole content in memory. */
import type { Queryable } from './pool.ts';

/** Bytes of a piece. A content of no more is not divided. */
export const PIECE_BYTES = 262_144;

/** Pieces 0 to `count` - 1, each read when the one before was taken. `text` selects the bytes of a piece; its number is the last parameter. */
export async function* readPieces(
  db: Queryable,
  { name, text }: { readonly name: string; readonly text: string },
  key: readonly unknown[],
  count: number,
): AsyncGenerator<Buffer> {
  for (let seq = 0; seq < count; seq++) {
    const { rows } = await db.query<{ bytes: Buffer }>({ name, text, values: [...key, seq] });
    if (rows.length === 0) throw new Error(`${name}: piece ${seq} of ${count} is gone`);
    yield rows[0].bytes;
  }
}
