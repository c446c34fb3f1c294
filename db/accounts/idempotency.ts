/** Answers of calls with an idempotency key, stored per account. */

import { readPieces } from '../pieces.ts';
import type { Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection } from '../schema/tables.ts';

/** How long a running call holds its key. Its process renews the hold until the call ends. */
const HOLD = `interval '30 seconds'`;

/** How long an answer is stored. */
export const ANSWERS_KEPT_MS = 24 * 3_600_000;
/** Bytes of compressed answers that an account may have; beyond them the oldest are deleted first. */
export const ANSWERS_KEPT_BYTES = 256 * 1024 * 1024;

export interface IdempotentCall {
  readonly userId: number;
  /** SHA-256 of method, path and key. */
  readonly callHash: Buffer;
  /** SHA-256 of the body. */
  readonly bodyHash: Buffer;
}

export interface KeptAnswer {
  readonly status: number;
  readonly headers: NonNullable<Rows['idempotency_answers']['headers']>;
  /** Null: the answer is an envelope. */
  readonly file: Rows['idempotency_answers']['file'];
  /** Compressed as a whole, or how many pieces it was stored in. */
  readonly body: Buffer | { readonly pieces: number };
}

const KEPT = selection('idempotency_answers', {
  bodyHash: 'body_hash',
  status: 'status',
  headers: 'headers',
  file: 'file',
  body: 'body',
  bodyPieces: 'body_pieces',
  claim: 'claim',
});

export interface Claim {
  readonly id: string;
  readonly at: Date;
  /** Answers of earlier calls have expired. */
  readonly keptSince: Date;
}

/** Claims the key for the call. False when another call has it: a running call, or one whose answer is stored. */
export async function claimKey(db: Queryable, call: IdempotentCall, { id, at, keptSince }: Claim): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'claim_idempotency_key',
    text: `insert into idempotency_answers as a (user_id, call_hash, body_hash, claim, created_at, held_until)
           values ($1, $2, $3, $4, $5, now() + ${HOLD})
           on conflict (user_id, call_hash) do update set body_hash = excluded.body_hash, claim = excluded.claim,
             created_at = excluded.created_at, held_until = excluded.held_until,
             status = null, headers = null, file = null, body = null, body_pieces = null
           where a.held_until < now() or (a.held_until is null and a.created_at <= $6)`,
    values: [call.userId, call.callHash, call.bodyHash, id, at, keptSince],
  });
  return rowCount === 1;
}

/** The call that has the key. `answer` is null while it runs. */
export async function selectAnswer(
  db: Queryable,
  { userId, callHash }: IdempotentCall,
): Promise<{ readonly bodyHash: Buffer; readonly claim: string; readonly answer: KeptAnswer | null } | null> {
  const { rows } = await db.query<Selected<typeof KEPT>>({
    name: 'select_idempotency_answer',
    text: `select ${KEPT.sql} from idempotency_answers
           where user_id = $1 and call_hash = $2`,
    values: [userId, callHash],
  });
  if (rows.length === 0) return null;
  const { bodyHash, claim, status, headers, file, body, bodyPieces } = rows[0];
  // A CHECK ties the three: all of them are null, or none.
  const isKept = status !== null && headers !== null && (body !== null || bodyPieces !== null);
  return {
    bodyHash,
    claim,
    answer: isKept ? { status, headers, file, body: body ?? { pieces: bodyPieces ?? 0 } } : null,
  };
}

/** `bodyHash`: of a file, which was not known before; null: it was. */
export async function keepAnswer(
  db: Queryable,
  claim: string,
  answer: KeptAnswer & { readonly bodyHash: Buffer | null },
): Promise<void> {
  await db.query({
    name: 'keep_idempotency_answer',
    text: `update idempotency_answers set status = $2, headers = $3, file = $4, body = $5, body_pieces = $6,
             body_hash = coalesce($7, body_hash), held_until = null
           where claim = $1 and status is null`,
    values: [
      claim,
      answer.status,
      answer.headers,
      answer.file,
      Buffer.isBuffer(answer.body) ? answer.body : null,
      Buffer.isBuffer(answer.body) ? null : answer.body.pieces,
      answer.bodyHash,
    ],
  });
}

/** Stores a piece of the answer of a running call. */
export async function keepPiece(
  db: Queryable,
  userId: number,
  claim: string,
  seq: number,
  bytes: Buffer,
): Promise<void> {
  await db.query({
    name: 'keep_idempotency_piece',
    text: 'insert into idempotency_pieces (user_id, claim, seq, bytes) values ($1, $2, $3, $4)',
    values: [userId, claim, seq, bytes],
  });
}

/** The pieces of a stored answer, each compressed. */
export function readAnswerPieces(db: Queryable, claim: string, count: number): AsyncGenerator<Buffer> {
  const text = 'select bytes from idempotency_pieces where claim = $1 and seq = $2';
  return readPieces(db, { name: 'select_idempotency_piece', text }, [claim], count);
}

/** Releases the key of a call that has no answer to store. */
export async function freeKey(db: Queryable, claim: string): Promise<void> {
  await db.query('delete from idempotency_answers where claim = $1 and status is null', [claim]);
}

/** Extends the hold of running calls. */
export async function renewClaims(db: Queryable, claims: readonly string[]): Promise<void> {
  await db.query(
    `update idempotency_answers set held_until = now() + ${HOLD} where claim = any($1::uuid[]) and status is null`,
    [claims],
  );
}

/** Deletes expired answers, and the oldest answers of an account beyond `maxBytes`. */
export async function deleteOldAnswers(
  db: Queryable,
  { keptSince, maxBytes }: { readonly keptSince: Date; readonly maxBytes: number },
): Promise<void> {
  await db.query('delete from idempotency_answers where created_at <= $1', [keptSince]);
  await db.query(
    `delete from idempotency_answers a using (
       select user_id, call_hash,
         sum(coalesce(octet_length(body), p.bytes)) over (partition by user_id order by created_at desc, call_hash) as bytes
       from idempotency_answers
         left join (select claim, sum(octet_length(bytes)) as bytes from idempotency_pieces group by claim) p using (claim)
       where status is not null) summed
     where a.user_id = summed.user_id and a.call_hash = summed.call_hash and summed.bytes > $1`,
    [maxBytes],
  );
  await db.query(
    'delete from idempotency_pieces p where not exists (select from idempotency_answers a where a.claim = p.claim)',
  );
}
