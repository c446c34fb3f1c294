/** How a response is written: JSON that is text already, a file from memory, a stored object or a part of it. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { ServiceError } from '../engine/errors.ts';
import type { FileReply, JsonStream, StoredFileReply } from './route.ts';

/** Gives a response that Express itself sends the headers that every response has. */
export function setCommonHeaders(request: Request, response: Response): Response {
  return response.set(request.context.headers as Record<string, string>);
}

/** Ends the response with a JSON body that is text or bytes already. */
export function sendJson(request: Request, response: Response, status: number, body: string | Buffer): void {
  const { headers } = request.context;
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = Buffer.byteLength(body);
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/**
 * Ends the response with an envelope whose data is made while it is sent, as fast as the client reads. What throws before
 * the first piece is an error like any other; after it the connection is cut.
 */
export async function sendJsonStream(
  request: Request,
  response: Response,
  status: number,
  { pieces }: JsonStream,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const { headers } = request.context;
  headers['Content-Type'] = 'application/json; charset=utf-8';
  response.writeHead(status, headers);
  async function* whole(): AsyncGenerator<string> {
    try {
      yield `{"code":0,"message":"ok","data":${first.value}`;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
      yield '}';
    } finally {
      await iterator.return?.();
    }
  }
  await sent(Readable.from(whole()), response);
}

/** A client that goes away in the middle is no failure. */
async function sent(content: Readable, response: Response): Promise<void> {
  await pipeline(content, response).catch((error) => {
    if (!response.destroyed || content.errored) throw error;
  });
}

/** Ends the response with a file to download. */
export function sendFile(request: Request, response: Response, { name, contentType, content }: FileReply): void {
  const { headers } = request.context;
  headers['Content-Type'] = contentType;
  headers['Content-Length'] = Buffer.byteLength(content);
  headers['Content-Disposition'] = `attachment; filename="${name}"`;
  response.writeHead(200, headers);
  response.end(request.method === 'HEAD' ? undefined : content);
}

/**
 * Ends the response with a stored object, or the part that `Range` asks for while `If-Range` still names the same
 * content. Returns the status that was sent.
 */
export async function sendStoredFile(request: Request, response: Response, { file }: StoredFileReply): Promise<number> {
  const { headers } = request.context;
  const { name, contentType, bytes, checksum, open } = file;
  const etag = `"${checksum}"`;
  headers['Accept-Ranges'] = 'bytes';
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

/** The one range that is asked for; null: the whole file, also for several ranges. */
function wantedRange(request: Request, bytes: number, etag: string): { start: number; end: number } | null {
  const ifRange = request.headers['if-range'];
  if (ifRange !== undefined && ifRange !== etag) return null;
  const ranges = request.range(bytes, { combine: true });
  if (ranges === -1) {
    request.context.headers['Content-Range'] = `bytes */${bytes}`;
    throw new ServiceError('range_not_satisfiable', { size: bytes });
  }
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0];
}
