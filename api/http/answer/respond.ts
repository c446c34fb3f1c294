/** Sends replies: JSON, files, and stored objects or parts of them. `app.ts` compresses the bodies. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { ServiceError } from '../../../engine/util/errors.ts';
import {
  CacheableJson,
  EventStream,
  FileReply,
  FileStream,
  JsonStream,
  type Reply,
  type StoredFile,
  StoredFileReply,
} from './reply.ts';

/** The request headers that every answer depends on. */
export const COMMON_VARY = 'Accept-Language, Accept-Encoding';

/** Sends a reply of any kind. Returns the status that was sent. */
export async function sendReply(request: Request, response: Response, { status, body }: Reply): Promise<number> {
  if (body instanceof CacheableJson) await sendCacheable(request, response, body);
  else if (body instanceof StoredFileReply) await sendStoredFile(request, response, body.file);
  else if (body instanceof JsonStream) await sendJsonStream(request, response, status, body);
  else if (body instanceof FileStream) await sendPieces(request, beginFile(request, response, body), body.pieces);
  else if (body instanceof FileReply) beginFile(request, response, body).send(body.content);
  else if (body instanceof EventStream) beginEvents(request, response, body);
  else sendJson(request, response, status, body);
  return response.statusCode;
}

/** Sets the status and the headers of the context. */
export function beginResponse(request: Request, response: Response, status: number): Response {
  return response.status(status).set(request.context.headers);
}

/** Sends JSON text or its bytes. */
export function sendJson(request: Request, response: Response, status: number, body: string | Buffer): void {
  beginResponse(request, response, status).type('json').send(body);
}

const VARY_OF_CACHEABLE = 'Authorization, X-API-Key, Accept-Language, Accept-Encoding';

/** Sends JSON that the caller may cache; 304 if the caller has it already. */
export async function sendCacheable(request: Request, response: Response, body: CacheableJson): Promise<void> {
  const { content, etag, maxAgeSeconds } = body;
  const { headers } = request.context;
  headers.ETag = etag;
  headers['Cache-Control'] = `private, max-age=${maxAgeSeconds}`;
  headers.Vary = String(headers.Vary).replace(COMMON_VARY, VARY_OF_CACHEABLE);
  if (isUnchanged(request, response, etag)) beginResponse(request, response, 304).end();
  else if (content instanceof JsonStream) await sendJsonStream(request, response, 200, content);
  else sendJson(request, response, 200, content);
}

/** Whether `If-None-Match` names the content that would be sent. */
function isUnchanged(request: Request, response: Response, etag: string): boolean {
  response.set('ETag', etag);
  return request.fresh;
}

/**
 * Sends an envelope whose data is made while it is sent, as fast as the client reads. An error before the first long piece is
 * answered as an error; a later one breaks the connection.
 */
async function sendJsonStream(
  request: Request,
  response: Response,
  status: number,
  { pieces, isBare }: JsonStream,
): Promise<void> {
  async function* enveloped(): AsyncGenerator<string | Buffer> {
    yield '{"code":0,"message":"ok","data":';
    yield* pieces;
    yield '}';
  }
  await sendPieces(request, beginResponse(request, response, status).type('json'), isBare ? pieces : enveloped());
}

/** Does not wait for the end. */
function beginEvents(request: Request, response: Response, { begin }: EventStream): void {
  beginResponse(request, response, 200).type('text/event-stream').flushHeaders();
  if (request.method === 'HEAD') return void response.end();
  begin({
    // A reader that reads nothing may keep it open after its end.
    write: (text) => response.writableEnded || response.write(text),
    end: () => response.end(),
    unsentBytes: () => response.writableLength,
    drop: () => response.destroy(),
    onClose: (closed) => response.once('close', closed),
    drained: async () => {
      if (response.writableNeedDrain) await new Promise((drained) => response.once('drain', drained));
    },
  });
}

function beginFile(request: Request, response: Response, file: Pick<FileReply, 'name' | 'contentType' | 'link'>) {
  if (file.link !== null) request.context.headers.Link = file.link;
  return beginDownload(request, response, 200, file);
}

function beginDownload(
  request: Request,
  response: Response,
  status: number,
  { name, contentType }: Pick<FileReply, 'name' | 'contentType'>,
): Response {
  const disposition = `attachment; filename="${name}"`;
  return beginResponse(request, response, status).set('Content-Disposition', disposition).type(contentType);
}

/** The maximum number of pieces before the first long one: the envelope, and the start of the object. */
const MAX_BEFORE_LONG = 4;

async function sendPieces(request: Request, response: Response, pieces: AsyncIterable<string | Buffer>): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  // Reads up to the first long piece before the headers are sent, so that an error until then is answered as one.
  const begin = [await iterator.next()];
  while (typeof begin.at(-1)?.value === 'string' && begin.length < MAX_BEFORE_LONG) begin.push(await iterator.next());
  async function* whole(): AsyncGenerator<string | Buffer> {
    try {
      for (const { done, value } of begin) if (!done) yield value;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  if (request.method === 'HEAD') {
    await iterator.return?.();
    response.end();
    return;
  }
  // By default Node reads 16 pieces ahead.
  await pipe(Readable.from(whole(), { highWaterMark: 1 }), response);
}

const MAX_LISTENERS = 20;

/** Sends a stream as fast as the client reads. A client that disconnects is not an error. */
async function pipe(content: Readable, response: Response): Promise<void> {
  let isGone = false;
  // A pipeline adds six, and Node warns above ten.
  response.setMaxListeners(MAX_LISTENERS);
  response.once('close', () => {
    // Content that failed is destroyed before the response.
    isGone = !content.destroyed || content.readableEnded;
  });
  await pipeline(content, response).catch((error) => {
    if (!isGone) throw error;
  });
}

/**
 * Sends a stored object, or the part in `Range` unless `If-Range` names another content; 304 if `If-None-Match` names this content.
 * Throws if `If-Match` names another one.
 */
async function sendStoredFile(request: Request, response: Response, file: StoredFile): Promise<void> {
  const { bytes, checksum, open } = file;
  const etag = `"${checksum}"`;
  Object.assign(request.context.headers, { 'Accept-Ranges': 'bytes' });
  if (!isMatch(request.headers['if-match'], etag)) throw new ServiceError('precondition_failed', { etag });
  if (isUnchanged(request, response, etag)) return void beginResponse(request, response, 304).end();
  const range = wantedRange(request, bytes, etag);
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  const content = request.method === 'HEAD' || bytes === 0 ? null : await open({ start, end });
  beginDownload(request, response, range ? 206 : 200, file).set('Content-Length', String(end - start + 1));
  if (range) response.set('Content-Range', `bytes ${start}-${end}/${bytes}`);
  if (content === null) response.end();
  else await pipe(content, response);
}

/** Whether the content has one of the tags of `If-Match`. */
function isMatch(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined) return true;
  return ifMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);
}

/** The requested range. Null for the whole file, also when several ranges are requested. */
function wantedRange(request: Request, bytes: number, etag: string): { start: number; end: number } | null {
  const ifRange = request.headers['if-range'];
  if (request.method !== 'GET') return null;
  if (ifRange !== undefined && ifRange !== etag) return null;
  // The library refuses the end of a file by more bytes than it has, which is all of it.
  const [, suffix] = /^bytes=-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (bytes > 0 && Number(suffix) >= bytes) return { start: 0, end: bytes - 1 };
  const ranges = request.range(bytes, { combine: true });
  if (ranges === -1) {
    request.context.headers['Content-Range'] = `bytes */${bytes}`;
    throw new ServiceError('range_not_satisfiable', { size: bytes });
  }
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0];
}
