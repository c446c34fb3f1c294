/** A cache of finished answers with their ETags, for calls with equal input on equal data. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

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
