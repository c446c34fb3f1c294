/** The values that a handler may return besides plain `data`, and the cache of finished ones. */
import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { type ErrorCode, ServiceError } from '../../../engine/util/errors.ts';
import type { ByteRange, ObjectStorage } from '../../../storage/storage.ts';

/** `data` as JSON text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `data` as pieces of JSON, each made when the client is ready for it. */
export class JsonStream {
  /** Must be iterable more than once if the route takes an idempotency key. */
  readonly pieces: AsyncIterable<string | Buffer>;
  /** Equal for equal content. Null: not known before the content. */
  readonly tag: string | null;
  /** Whether it is sent without the envelope. */
  readonly isBare: boolean;

  constructor(pieces: AsyncIterable<string | Buffer>, tag: string | null = null, isBare = false) {
    this.pieces = pieces;
    this.tag = tag;
    this.isBare = isBare;
  }
}

/** 202: work was queued. `location` shows its state. */
export class Accepted {
  readonly location: string;
  readonly data: object;

  constructor(location: string, data: object) {
    this.location = location;
    this.data = data;
  }
}

/** A file as a download, without the envelope. */
export class FileReply {
  readonly name: string;
  readonly contentType: string;
  readonly content: string | Buffer;
  /** Header `Link`; null: there is none. */
  readonly link: string | null;

  constructor(name: string, contentType: string, content: string | Buffer, link: string | null = null) {
    this.name = name;
    this.contentType = contentType;
    this.content = content;
    this.link = link;
  }
}

/** A file in pieces, as a download without the envelope. */
export class FileStream {
  readonly name: string;
  readonly contentType: string;
  /** Must be iterable more than once if the route takes an idempotency key. */
  readonly pieces: AsyncIterable<string | Buffer>;
  /** Header `Link`; null: there is none. */
  readonly link: string | null;

  constructor(name: string, contentType: string, pieces: AsyncIterable<string | Buffer>, link: string | null = null) {
    this.name = name;
    this.contentType = contentType;
    this.pieces = pieces;
    this.link = link;
  }
}

/** An answer that goes on: events as text/event-stream, until one of the two ends it. */
export class EventStream {
  /** Called when the answer has begun. `sink`: what is written to the caller. */
  readonly begin: (sink: EventSink) => void;

  constructor(begin: (sink: EventSink) => void) {
    this.begin = begin;
  }
}

export interface EventSink {
  readonly write: (text: string) => void;
  readonly end: () => void;
  /** Bytes that the caller has not read. */
  readonly unsentBytes: () => number;
  /** Ends it without what is unsent. */
  readonly drop: () => void;
  readonly onClose: (closed: () => void) => void;
  /** Resolves when the caller has read what was written; never if it goes away meanwhile. */
  readonly drained: () => Promise<void>;
}

/** JSON that callers may cache. */
export class CacheableJson {
  readonly content: Buffer | JsonStream;
  readonly etag: string;
  /** Seconds for which a caller may use it without revalidation. */
  readonly maxAgeSeconds: number;

  constructor(content: Buffer | JsonStream, etag: string, maxAgeSeconds: number) {
    this.content = content;
    this.etag = etag;
    this.maxAgeSeconds = maxAgeSeconds;
  }
}

/** A response to send. */
export interface Reply {
  readonly status: number;
  /** An envelope, or a file without one. */
  readonly body: string | Buffer | CacheableJson | JsonStream | EventStream | FileReply | FileStream | StoredFileReply;
}

export interface StoredFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  /** Identifies the content. */
  readonly checksum: string;
  /** Opens a part of the file; both ends are included. */
  readonly open: (range: { readonly start: number; readonly end: number }) => Promise<Readable>;
}

/** A stored object as a download, whole or in part, without the envelope. */
export class StoredFileReply {
  readonly file: StoredFile;

  constructor(file: StoredFile) {
    this.file = file;
  }
}

/** The envelope of `data`, given as JSON text. */
export const envelope = (data: string) => `{"code":0,"message":"ok","data":${data}}`;

/** `gone`: the error if the object does not exist. */
export async function openObject(
  storage: ObjectStorage,
  key: string,
  gone: ErrorCode,
  range?: ByteRange,
): Promise<Readable> {
  const content = await storage.get(key, range);
  if (!content) throw new ServiceError(gone);
  return content;
}

/** A file that callers may read in parts. `gone`: the error if its object does not exist. */
export async function storedFile(
  storage: ObjectStorage,
  { key, ...file }: Omit<StoredFile, 'open'> & { readonly key: string },
  gone: ErrorCode,
): Promise<StoredFileReply> {
  if (!(await storage.has(key))) throw new ServiceError(gone);
  return new StoredFileReply({ ...file, open: (range) => openObject(storage, key, gone, range) });
}

const OVERHEAD_BYTES = 300;

export interface CachedAnswer {
  readonly bytes: Buffer;
  readonly etag: string;
}

export type ResponseCache = LRUCache<string, CachedAnswer>;

export function createResponseCache(maxBytes: number): ResponseCache {
  return new LRUCache({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: ({ bytes }) => bytes.length + OVERHEAD_BYTES,
  });
}

export function cacheableAnswer(text: string): CachedAnswer {
  const bytes = Buffer.from(text);
  return { bytes, etag: weakEtag(bytes) };
}

/** A weak ETag, which is valid for every encoding of the content. */
export function weakEtag(bytes: Buffer): string {
  return `W/"${hash('sha1', bytes, 'base64url')}"`;
}
