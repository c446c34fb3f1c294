/** Writes responses: JSON text, a file from memory, a stored object, or a part of one. */
import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { ServiceError } from '../../../engine/errors.ts';
import { COMMON_VARY, type RequestContext } from '../request-context.ts';
import { COMPRESSED_FROM_BYTES, compress, compressor, type Encoding, encodingFor, encodingOf } from './compression.ts';
import type { FileReply, FileStream, JsonStream, StoredFileReply } from './reply.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sets the headers that every response has, on a response that Express itself sends. */
export function setCommonHeaders(request: Request, response: Response): Response {
  for (const [name, value] of Object.entries(request.context.headers)) response.setHeader(name, value);
  return response;
}

/** A body that many responses share. */
export interface KeptBody {
  readonly bytes: Buffer;
  /** The bytes of a short body as Latin-1, which Node writes together with the headers as one string. Null for any other body. */
  readonly latin1: string | null;
  /** The same for every encoding of the content. */
  readonly etag: string;
}

export function keptBody(text: string | Buffer): KeptBody {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
  const latin1 = bytes.length > COMPRESSED_FROM_BYTES ? null : bytes.toString('latin1');
  return { bytes, latin1, etag: `W/"${hash('sha1', bytes, 'base64url')}"` };
}

export type Compress = (bytes: string | Buffer, encoding: Encoding) => Promise<Buffer>;

/** Ends the response with JSON text or bytes, compressed if the body is long and the client accepts it. */
export async function sendJson(
  request: Request,
  response: Response,
  status: number,
  body: string | Buffer,
  compressBody: Compress = compress,
): Promise<void> {
  request.context.headers['Content-Type'] = JSON_TYPE;
  await sendBody(request, response, status, body, compressBody);
}

/** Ends the response with a body whose type the headers tell, compressed where that helps and is accepted. */
export async function sendBody(
  request: Request,
  response: Response,
  status: number,
  body: string | Buffer,
  compressBody: Compress = compress,
): Promise<void> {
  const encoding = encodingFor(request, Buffer.byteLength(body));
  const content = encoding ? await compressBody(body, encoding) : body;
  sendContent(request, response, status, { content, encoding });
}

interface Content {
  readonly content: string | Buffer;
  /** The encoding that the content has. */
  readonly encoding: Encoding | null;
}

function sendContent(request: Request, response: Response, status: number, { content, encoding }: Content): void {
  const { headers } = request.context;
  const bytes = Buffer.byteLength(content);
  headers['Content-Length'] = bytes;
  if (encoding) headers['Content-Encoding'] = encoding;
  response.writeHead(status, headers);
  if (request.method === 'HEAD') response.end();
  // A text of ASCII alone, for which Node needs a third of the memory as Latin-1.
  else response.end(content, bytes === content.length ? 'latin1' : 'utf8');
}

const VARY_OF_KEPT = 'Authorization, X-API-Key, Accept-Language, Accept-Encoding';

function setKeptHeaders(headers: RequestContext['headers'], etag: string, maxAgeSeconds: number): void {
  headers.ETag = etag;
  headers['Cache-Control'] = `private, max-age=${maxAgeSeconds}`;
  headers.Vary = headers.Vary === COMMON_VARY ? VARY_OF_KEPT : String(headers.Vary).replace(COMMON_VARY, VARY_OF_KEPT);
}

/** Ends the response to a GET with JSON that the caller may cache, as it is kept in an encoding. */
export function sendKeptAsIs(
  { headers }: Pick<RequestContext, 'headers'>,
  response: ServerResponse,
  { bytes, latin1, etag }: KeptBody,
  encoding: Encoding | null,
  maxAgeSeconds: number,
): void {
  setKeptHeaders(headers, etag, maxAgeSeconds);
  headers['Content-Type'] = JSON_TYPE;
  headers['Content-Length'] = bytes.length;
  if (encoding) headers['Content-Encoding'] = encoding;
  response.writeHead(200, headers);
  response.end(latin1 ?? bytes, 'latin1');
}

/** Ends the response with a body that the caller may cache, or with 304 if the caller has it already. */
export async function sendKept(
  request: Request,
  response: Response,
  { bytes, etag }: KeptBody,
  maxAgeSeconds: number,
  compressBody?: Compress,
): Promise<200 | 304> {
  const { headers } = request.context;
  setKeptHeaders(headers, etag, maxAgeSeconds);
  if (isStillRight(request, response, etag)) return sendUnchanged(response, headers);
  await sendJson(request, response, 200, bytes, compressBody);
  return 200;
}

/** The same with an answer that is made while it is sent. */
export async function sendKeptStream(
  request: Request,
  response: Response,
  stream: JsonStream,
  maxAgeSeconds: number,
): Promise<200 | 304> {
  const { headers } = request.context;
  const etag = `W/"${stream.tag}"`;
  setKeptHeaders(headers, etag, maxAgeSeconds);
  if (isStillRight(request, response, etag)) return sendUnchanged(response, headers);
  await sendJsonStream(request, response, 200, stream);
  return 200;
}

function sendUnchanged(response: Response, headers: RequestContext['headers']): 304 {
  response.writeHead(304, headers);
  response.end();
  return 304;
}

/** Whether `If-None-Match` names the body that would be sent. */
function isStillRight(request: Request, response: Response, etag: string): boolean {
  if (request.headers['if-none-match'] === undefined) return false;
  response.setHeader('ETag', etag);
  return request.fresh;
}

/**
 * Ends the response with an envelope whose data is made while it is sent, as fast as the client reads. An error before the
 * first piece is answered like any other; after it the connection is cut.
 */
export async function sendJsonStream(
  request: Request,
  response: Response,
  status: number,
  { pieces }: JsonStream,
): Promise<void> {
  async function* enveloped(): AsyncGenerator<string | Buffer> {
    yield '{"code":0,"message":"ok","data":';
    yield* pieces;
    yield '}';
  }
  request.context.headers['Content-Type'] = JSON_TYPE;
  await sendPieces(request, response, status, enveloped());
}

/** Ends the response with a file that is made while it is sent. */
export async function sendFileStream(request: Request, response: Response, file: FileStream): Promise<void> {
  setFileHeaders(request, file);
  await sendPieces(request, response, 200, file.pieces);
}

function setFileHeaders({ context }: Request, file: Pick<FileReply, 'name' | 'contentType' | 'link'>): void {
  context.headers['Content-Type'] = file.contentType;
  context.headers['Content-Disposition'] = `attachment; filename="${file.name}"`;
  if (file.link !== null) context.headers.Link = file.link;
}

/** Pieces before the first long one, at most: the envelope, and objects around it. */
const MOST_BEFORE_LONG = 4;

async function sendPieces(
  request: Request,
  response: Response,
  status: number,
  pieces: AsyncIterable<string | Buffer>,
): Promise<void> {
  const { headers } = request.context;
  const encoding = encodingOf(request);
  const iterator = pieces[Symbol.asyncIterator]();
  // Up to the first long piece, so that an error that it ends with comes before the head of the answer.
  const begin = [await iterator.next()];
  while (typeof begin.at(-1)?.value === 'string' && begin.length < MOST_BEFORE_LONG) begin.push(await iterator.next());
  if (encoding) headers['Content-Encoding'] = encoding;
  response.writeHead(status, headers);
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
  // Node reads 16 pieces ahead otherwise.
  const content = Readable.from(whole(), { highWaterMark: 1 });
  await sent(content, response, encoding ? [compressor(encoding)] : []);
}

/** Sends a stream as fast as the client reads. A client that goes away is not an error. */
async function sent(content: Readable, response: Response, through: readonly Transform[] = []): Promise<void> {
  let isGone = false;
  response.once('close', () => {
    // Content that broke off is destroyed before the response is.
    isGone = !content.destroyed || content.readableEnded;
  });
  await pipeline([content, ...through, response]).catch((error) => {
    if (!isGone) throw error;
  });
}

/** Ends the response with a file as a download. */
export function sendFile(request: Request, response: Response, file: FileReply): void {
  const { headers } = request.context;
  setFileHeaders(request, file);
  headers['Content-Length'] = Buffer.byteLength(file.content);
  response.writeHead(200, headers);
  response.end(request.method === 'HEAD' ? undefined : file.content);
}

/**
 * Ends the response with a stored object, or with the part in `Range` if `If-Range` still names the same content; with 304 if
 * `If-None-Match` does. Returns the status. Throws when `If-Match` names another content.
 */
export async function sendStoredFile(request: Request, response: Response, { file }: StoredFileReply): Promise<number> {
  const { headers } = request.context;
  const { name, contentType, bytes, checksum, open } = file;
  const etag = `"${checksum}"`;
  headers['Accept-Ranges'] = 'bytes';
  if (!isMatch(request.headers['if-match'], etag)) throw new ServiceError('precondition_failed', { etag });
  if (isStillRight(request, response, etag)) {
    headers.ETag = etag;
    return sendUnchanged(response, headers);
  }
  const range = wantedRange(request, bytes, etag);
  const status = range ? 206 : 200;
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  const content = request.method === 'HEAD' || bytes === 0 ? null : await open({ start, end });
  headers['Content-Type'] = contentType;
  headers['Content-Length'] = end - start + 1;
  headers['Content-Disposition'] = `attachment; filename="${name}"`;
  headers.ETag = etag;
  if (range) headers['Content-Range'] = `bytes ${start}-${end}/${bytes}`;
  response.writeHead(status, headers);
  if (content === null) response.end();
  else await sent(content, response);
  return status;
}

/** Whether a content has one of the strong tags of `If-Match`. */
function isMatch(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined) return true;
  return ifMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);
}

/** The requested range. Null for the whole file, also when several ranges are requested. */
function wantedRange(request: Request, bytes: number, etag: string): { start: number; end: number } | null {
  const ifRange = request.headers['if-range'];
  if (request.method !== 'GET') return null;
  if (ifRange !== undefined && ifRange !== etag) return null;
  const ranges = request.range(bytes, { combine: true });
  if (ranges === -1) {
    request.context.headers['Content-Range'] = `bytes */${bytes}`;
    throw new ServiceError('range_not_satisfiable', { size: bytes });
  }
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0];
}
