/** Results of runs, kept for a while so that an equal specification over equal data is not computed again. */
import { PIECE_BYTES, readPieces } from '../pieces.ts';
import type { Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { type PartLengths, RESULT_PARTS, type ResultPart } from '../schema/runs.ts';
import { type Rows, selection } from '../schema/tables.ts';

export type { ResultPart };

const RESULT = selection(
  'backtest_results',
  {
    summary: 'summary',
    tearSheet: 'tear_sheet',
    lengths: 'lengths',
    body: 'body',
  },
  's',
);

/** A result: JSON text, and its parts, JSON arrays in UTF-8, one after another. */
export type StoredResult = Omit<Selected<typeof RESULT>, 'body'> & { readonly body: Uint8Array };

/** `parts`: JSON arrays. */
export function storedResult(
  summary: object,
  parts: Readonly<Partial<Record<ResultPart, string | Uint8Array>>> = {},
): StoredResult {
  const contents = RESULT_PARTS.flatMap((part) => {
    const content = parts[part];
    if (content === undefined) return [];
    return [{ part, bytes: typeof content === 'string' ? Buffer.from(content) : content }];
  });
  const lengths = Object.fromEntries(contents.map(({ part, bytes }) => [part, bytes.length]));
  // Memory of its own, which a thread can hand over.
  const body = new Uint8Array(contents.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of contents) {
    body.set(bytes, at);
    at += bytes.length;
  }
  return { summary: JSON.stringify(summary), tearSheet: null, lengths, body };
}

/** Where a part is in the body of a result, in bytes. */
export interface Place {
  readonly from: number;
  readonly bytes: number;
}

/** Null: the result has no such part. */
export function placeOf(lengths: PartLengths, wanted: ResultPart): Place | null {
  let from = 0;
  for (const part of RESULT_PARTS) {
    const bytes = lengths[part];
    if (part === wanted) return bytes === undefined ? null : { from, bytes };
    from += bytes ?? 0;
  }
  return null;
}

/** The parts of a result. */
export function partsIn({ lengths, body }: Pick<StoredResult, 'lengths' | 'body'>): Map<ResultPart, Buffer> {
  const whole = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const parts = new Map<ResultPart, Buffer>();
  for (const part of RESULT_PARTS) {
    const place = placeOf(lengths, part);
    if (place !== null) parts.set(part, whole.subarray(place.from, place.from + place.bytes));
  }
  return parts;
}

/** Parts of no more bytes in all are read with the run; longer ones are read one after another, in pieces. */
const SHORT_BYTES = 2 * PIECE_BYTES;

/** A result for an answer. */
export interface ServedResult extends Pick<Rows['backtest_results'], 'fingerprint' | 'summary' | 'lengths'> {
  readonly tearSheet: string | null;
  /** Its parts as text; null: they are long, or were not asked for. */
  readonly body: string | null;
}

const SHORT_BODY = `case when octet_length(s.body) <= ${SHORT_BYTES} then convert_from(s.body, 'UTF8') end`;

/** SQL: the columns of a result for an answer. The length of a content is known without reading it. */
export const served = (hasParts: boolean) =>
  `s.fingerprint, s.summary, s.tear_sheet as "tearSheet", s.lengths, ${hasParts ? SHORT_BODY : 'null::text'} as body`;

/** A part of a result as JSON in UTF-8, read in pieces. */
export function readPart(
  db: Queryable,
  { fingerprint }: Pick<ServedResult, 'fingerprint'>,
  { from, bytes }: Place,
): AsyncGenerator<Buffer> {
  const text = `select substr(body, 1 + $2::int + $4::int * ${PIECE_BYTES}, least(${PIECE_BYTES}, $3::int - $4::int * ${PIECE_BYTES})) as bytes
    from backtest_results where fingerprint = $1`;
  return readPieces(
    db,
    { name: 'select_result_piece', text },
    [fingerprint, from, bytes],
    Math.ceil(bytes / PIECE_BYTES),
  );
}

/**
 * SQL: true if there is a result with the fingerprint of a row, otherwise null. For EXISTS the planner may hash all results, as often
 * as the statement runs.
 */
export const isKnown = (row: string) =>
  `select true from backtest_results known where known.fingerprint = ${row}.fingerprint`;

/** The result with a fingerprint, which is kept for another hour; null when there is none. */
export async function touchResult(db: Queryable, fingerprint: Uint8Array): Promise<StoredResult | null> {
  const { rows } = await db.query<Selected<typeof RESULT>>({
    name: 'use_backtest_result',
    text: `update backtest_results s set used_at = now() where fingerprint = $1 returning ${RESULT.sql}`,
    values: [fingerprint],
  });
  return rows[0] ?? null;
}
