/** Results of runs, kept for a while so that an equal specification over equal data is not computed again. */

import { createHash } from 'node:crypto';
import { PIECE_BYTES, readPieces } from '../pieces.ts';
import type { Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { selection } from '../schema/tables.ts';

const RESULT = selection(
  'backtest_results',
  {
    summary: 'summary',
    trades: 'trades',
    klines: 'klines',
    equity: 'equity',
    positions: 'positions',
    contributions: 'contributions',
    rebalances: 'rebalances',
  },
  's',
);

/** A result as JSON texts. All but the summary are arrays; null: results of its kind have no such part. */
export type StoredResult = Selected<typeof RESULT>;

/** Long parts of results. */
export type ResultPart = Exclude<keyof StoredResult, 'summary'>;

const PARTS: readonly ResultPart[] = ['trades', 'klines', 'equity', 'positions', 'contributions', 'rebalances'];

/** A result for an answer, without its parts above `PIECE_BYTES`, which are read in pieces. */
export interface ServedResult extends StoredResult {
  readonly fingerprint: Buffer;
  /** Bytes of those parts. */
  readonly longParts: Readonly<Partial<Record<ResultPart, number>>>;
}

const IS_SHORT = (part: ResultPart) => `octet_length(s.${part}) <= ${PIECE_BYTES}`;
const LONG_PARTS = PARTS.map((part) => `'${part}', case when not ${IS_SHORT(part)} then octet_length(s.${part}) end`);

/** SQL: the columns of a result for an answer. The length of a text is known without reading it. */
const servedColumns = (klines: string) => `s.fingerprint, s.summary, ${klines},
  ${PARTS.filter((part) => part !== 'klines').map((part) => `case when ${IS_SHORT(part)} then s.${part} end as ${part}`)},
  jsonb_strip_nulls(jsonb_build_object(${LONG_PARTS})) as "longParts"`;

export const SERVED = servedColumns(`case when ${IS_SHORT('klines')} then s.klines end as klines`);

/** SQL: the same without short bars that are known by their digest, and the digest in hex. */
export const SERVED_WITHOUT_KNOWN_KLINES = servedColumns(`
  case when s.klines_sha256 is null and ${IS_SHORT('klines')} then s.klines end as klines,
  case when ${IS_SHORT('klines')} then encode(s.klines_sha256, 'hex') end as "klinesSha256"`);

/** A long part of a result as JSON in UTF-8. */
export function readLongPart(
  db: Queryable,
  { fingerprint, longParts }: Pick<ServedResult, 'fingerprint' | 'longParts'>,
  part: ResultPart,
): AsyncGenerator<Buffer> {
  const count = Math.ceil((longParts[part] ?? 0) / PIECE_BYTES);
  const text = 'select bytes from result_pieces where fingerprint = $1 and part = $2 and seq = $3';
  return readPieces(db, { name: 'select_result_piece', text }, [fingerprint, part], count);
}

/** Bars of a result as JSON text, which other results over the same range of the same history have too. */
export interface SharedKlines {
  /** Digest of the text, in hex. */
  readonly sha256: string;
  /** The text in UTF-8, in memory that threads share. */
  readonly bytes: Uint8Array;
}

export function klinesText({ bytes: { buffer, byteOffset, byteLength } }: SharedKlines): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

const NO_PARTS: Readonly<Record<ResultPart, null>> = {
  trades: null,
  klines: null,
  equity: null,
  positions: null,
  contributions: null,
  rebalances: null,
};

export function storedResult(summary: object, parts: Readonly<Partial<Record<ResultPart, string>>>): StoredResult {
  return { summary: JSON.stringify(summary), ...NO_PARTS, ...parts };
}

/**
 * SQL: true if there is a result with the fingerprint of a row, otherwise null. For EXISTS the planner may hash all results, as often
 * as the statement runs.
 */
export const isKnown = (row: string) =>
  `select true from backtest_results known where known.fingerprint = ${row}.fingerprint`;

/** `klinesSha256`: digest of the bars, in hex; null: the result has none, or does not share them. */
export async function insertResult(
  db: Queryable,
  fingerprint: Uint8Array,
  result: StoredResult,
  klinesSha256: string | null,
): Promise<void> {
  await db.query({
    name: 'insert_backtest_result',
    text: `insert into backtest_results (fingerprint, summary, trades, klines, equity, positions, contributions, klines_sha256, rebalances)
           values ($1, $2, $3, $4, $5, $6, $7, decode($8, 'hex'), $9) on conflict (fingerprint) do update set used_at = now()`,
    values: [
      fingerprint,
      result.summary,
      result.trades,
      result.klines,
      result.equity,
      result.positions,
      result.contributions,
      klinesSha256,
      result.rebalances,
    ],
  });
}

/** The result with a fingerprint, which is kept for another hour; null when there is none. */
export async function touchResult(db: Queryable, fingerprint: Uint8Array): Promise<StoredResult | null> {
  const { rows } = await db.query<StoredResult>({
    name: 'use_backtest_result',
    text: `update backtest_results s set used_at = now() where fingerprint = $1 returning ${RESULT.sql}`,
    values: [fingerprint],
  });
  return rows[0] ?? null;
}

/** The tear sheet of a result is stored beside it, as a result of its own: few runs ask for one. */
function tearSheetFingerprint(fingerprint: Uint8Array): Uint8Array {
  return createHash('sha256').update(fingerprint).update('tear sheet').digest();
}

/** `sheet`: JSON text. */
export function insertTearSheet(db: Queryable, fingerprint: Uint8Array, sheet: string): Promise<void> {
  return insertResult(db, tearSheetFingerprint(fingerprint), { summary: sheet, ...NO_PARTS }, null);
}

/** The tear sheet of the result with a fingerprint, which is kept for another hour; null when there is none. */
export async function useTearSheet(db: Queryable, fingerprint: Uint8Array): Promise<string | null> {
  return (await touchResult(db, tearSheetFingerprint(fingerprint)))?.summary ?? null;
}
