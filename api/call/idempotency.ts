/**
 * `Idempotency-Key`: a call that is sent again because its answer was lost gets the stored answer of the first call, and has no
 * further effect.
 */
import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Request } from 'express';
import type { Logger } from 'pino';
import {
  ANSWERS_KEPT_MS,
  claimKey,
  freeKey,
  type IdempotentCall,
  type KeptAnswer,
  keepAnswer,
  keepPiece,
  readAnswerPieces,
  renewClaims,
  selectAnswer,
} from '../../db/accounts/idempotency.ts';
import { isMissingReference } from '../../db/errors.ts';
import type { Pool } from '../../db/pool.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { RequestContext } from '../access/request-context.ts';
import {
  CacheableJson,
  EventStream,
  FileReply,
  FileStream,
  JsonStream,
  type Reply,
  StoredFileReply,
} from '../http/answer/reply.ts';
import { ValidationFailure } from '../http/input/request-failure.ts';
import type { HashedFile } from './hashed-file.ts';

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;
/** Headers that are stored with an answer and replayed. Others are specific to the call. */
const STORED_HEADERS = ['Location', 'Content-Language', 'X-Export-Id', 'X-Truncated', 'X-Data-Version'] as const;
/** In place of the digest of a file that is not read yet. */
const UNREAD = Buffer.alloc(32);
const RENEW_MS = 10_000;
const MAX_CLAIM_TRIES = 3;

export interface IdempotencyOptions {
  readonly pool: Pool;
  readonly now: () => number;
  readonly log: Logger;
  /** How often claims of calls in progress are renewed; a claim that is not renewed expires. Default 10 s. */
  readonly renewMs?: number;
}

/** A call that has claimed its key. */
interface ClaimedCall {
  readonly userId: number;
  readonly claim: string;
  readonly file: HashedFile | null;
}

interface Earlier extends KeptAnswer {
  readonly claim: string;
}

export class IdempotencyKeys {
  private readonly options: IdempotencyOptions;
  /** Claims of calls in progress in this process. */
  private readonly claims = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(options: IdempotencyOptions) {
    this.options = options;
  }

  /**
   * The answer of `answer`, or that of a call within the last day with the same key, method, and path. Throws when that call
   * had another body or is still in progress. `file`: the body; its digest is known when the answer is made.
   */
  async answerOnce(
    request: Request,
    userId: number,
    answer: () => Promise<Reply>,
    file: HashedFile | null = null,
  ): Promise<Reply> {
    const key = request.headers['idempotency-key'];
    if (key === undefined) return answer();
    if (!PRINTABLE.test(String(key))) {
      const problem = { code: 'not_printable', details: { min: 1, max: 128 } } as const;
      throw new ValidationFailure([{ loc: ['header', 'Idempotency-Key'], type: 'invalid_format', problem }]);
    }
    const call: IdempotentCall = {
      userId,
      callHash: sha256(`${request.method}\n${request.path}\n${key}`),
      bodyHash: file === null ? sha256(canonical(request.body ?? {})) : UNREAD,
    };
    const claim = randomUUID();
    const earlier = await this.claimOrFind(call, claim, file);
    if (earlier) return this.replayed(earlier, request.context);
    if (file === null) request.context.idempotentJobId = jobIdOf(call);
    return this.answerAndStore({ userId, claim, file }, request.context, answer);
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Claims the key for the call and returns null, or returns the answer of an earlier call. */
  private async claimOrFind(call: IdempotentCall, id: string, file: HashedFile | null): Promise<Earlier | null> {
    const { pool, now } = this.options;
    const at = now();
    const claim = { id, at: new Date(at), keptSince: new Date(at - ANSWERS_KEPT_MS) };
    for (let tries = 0; tries < MAX_CLAIM_TRIES; tries++) {
      if (await claimKey(pool, call, claim).catch(refuseDeletedAccount)) return null;
      const found = await selectAnswer(pool, call);
      // The earlier call failed between the two statements and freed the key.
      if (!found) continue;
      if (file !== null && !found.answer) break;
      const bodyHash = file === null ? call.bodyHash : await file.read();
      if (!found.bodyHash.equals(bodyHash)) throw new ServiceError('idempotency_mismatch');
      if (found.answer) return { claim: found.claim, ...found.answer };
      break;
    }
    throw new ServiceError('idempotency_in_progress');
  }

  private async answerAndStore(
    call: ClaimedCall,
    context: RequestContext,
    answer: () => Promise<Reply>,
  ): Promise<Reply> {
    const { pool, log } = this.options;
    const { claim } = call;
    this.renewRegularly(claim);
    try {
      const reply = await answer();
      await this.store(call, context, reply);
      return reply;
    } catch (error) {
      await freeKey(pool, claim).catch((cause) => {
        log.warn(
          { err: cause, requestId: context.requestId },
          'an idempotency key could not be freed and stays claimed for half a minute',
        );
      });
      throw error;
    } finally {
      this.claims.delete(claim);
      if (this.claims.size === 0) {
        clearInterval(this.timer);
        this.timer = undefined;
      }
    }
  }

  /** Stores an answer. A failure to store it is only logged, because the work is done. */
  private async store(
    call: ClaimedCall,
    { headers, requestId }: RequestContext,
    { status, body }: Reply,
  ): Promise<void> {
    const { pool, log } = this.options;
    const content = body instanceof FileReply ? body.content : body;
    if (content instanceof StoredFileReply || content instanceof CacheableJson || content instanceof EventStream)
      throw new Error('answers of this kind are not stored');
    try {
      const stored = STORED_HEADERS.filter((name) => headers[name] !== undefined);
      await keepAnswer(pool, call.claim, {
        status,
        headers: Object.fromEntries(stored.map((name) => [name, String(headers[name])])),
        file:
          body instanceof FileReply || body instanceof FileStream
            ? { name: body.name, contentType: body.contentType }
            : null,
        bodyHash: call.file?.digest ?? null,
        body:
          content instanceof JsonStream || content instanceof FileStream
            ? await this.storePieces(call, content)
            : await promisify(gzip)(content),
      });
    } catch (error) {
      log.warn({ err: error, requestId }, 'an answer could not be stored under its idempotency key');
    }
  }

  private async storePieces(
    { userId, claim }: ClaimedCall,
    { pieces }: Pick<JsonStream, 'pieces'>,
  ): Promise<{ pieces: number }> {
    let count = 0;
    for await (const piece of pieces) {
      await keepPiece(this.options.pool, userId, claim, count, await promisify(gzip)(piece));
      count++;
    }
    return { pieces: count };
  }

  private async replayed({ claim, status, headers, file, body }: Earlier, context: RequestContext): Promise<Reply> {
    Object.assign(context.headers, headers);
    context.headers['Idempotent-Replayed'] = 'true';
    if (!Buffer.isBuffer(body)) {
      const pieces = this.keptPieces(claim, body.pieces);
      return { status, body: file ? new FileStream(file.name, file.contentType, pieces) : new JsonStream(pieces) };
    }
    const content = await promisify(gunzip)(body);
    return { status, body: file ? new FileReply(file.name, file.contentType, content) : content };
  }

  private async *keptPieces(claim: string, count: number): AsyncGenerator<Buffer> {
    for await (const piece of readAnswerPieces(this.options.pool, claim, count)) yield await promisify(gunzip)(piece);
  }

  private renewRegularly(claim: string): void {
    const { pool, log, renewMs = RENEW_MS } = this.options;
    this.claims.add(claim);
    this.timer ??= setInterval(() => {
      renewClaims(pool, [...this.claims]).catch((error) =>
        log.debug({ err: error }, 'idempotency keys could not be renewed'),
      );
    }, renewMs);
  }
}

/**
 * A process can die after it has queued a job and before it has stored its answer. When the call is sent again, it finds the
 * job by this id.
 */
function jobIdOf({ userId, callHash, bodyHash }: IdempotentCall): string {
  return idOfDigest(createHash('sha256').update(`${userId}\n`).update(callHash).update(bodyHash).digest());
}

function refuseDeletedAccount(error: unknown): never {
  throw isMissingReference(error) ? new ServiceError('invalid_credential') : error;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The same text for equal bodies. RFC 8785, and so `canonicalize`, refuses lone surrogates, which a body may have. */
function canonical(body: unknown): string {
  return JSON.stringify(body, (_name, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** The id of a digest of at least 16 bytes. */
export function idOfDigest(digest: Buffer): string {
  const bytes = Buffer.from(digest);
  // Version 8: an id whose bits are the application's own (RFC 9562).
  bytes[6] = (bytes[6] & 0x0f) | 0x80;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
