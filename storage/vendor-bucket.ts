/** A vendor's bucket, read-only. */
import { Readable } from 'node:stream';
import {
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { toError } from '../engine/util/errors.ts';
import { BucketFailure, createS3Client, type S3Settings } from './s3.ts';
import type { StoredObject } from './storage.ts';

/** Long, because nothing is read while a slow database inserts rows. */
const STALL_MS = 5 * 60_000;

export interface OpenedObject {
  readonly content: Readable;
  readonly bytes: number;
  /** Changes with the content. */
  readonly etag: string | undefined;
}

export interface ListedObject extends StoredObject {
  readonly etag: string | undefined;
}

export class VendorBucket {
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor(settings: S3Settings) {
    this.bucket = settings.bucket;
    this.client = createS3Client({ ...settings, stallMs: settings.stallMs ?? STALL_MS });
    this.client.middlewareStack.add(
      (next) => (call) =>
        next(call).catch((error) => {
          throw failureOf(error);
        }),
      { step: 'initialize', name: 'bucketFailure' },
    );
  }

  /** Objects under a prefix, ordered by key, after the key `after`. */
  async *list(prefix: string, after?: string): AsyncGenerator<ListedObject> {
    const wanted = { Bucket: this.bucket, Prefix: prefix, StartAfter: after };
    for await (const { Contents = [] } of paginateListObjectsV2({ client: this.client }, wanted)) {
      for (const { Key, Size, ETag } of Contents) {
        if (Key !== undefined && Size !== undefined) yield { key: Key, bytes: Size, etag: ETag };
      }
    }
  }

  /** Throws a `BucketFailure` when the object is missing (404) or may not be read (403). */
  async head(key: string): Promise<void> {
    await this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: key }));
  }

  async open(key: string, signal: AbortSignal): Promise<OpenedObject> {
    const command = new GetObjectCommand({ Bucket: this.bucket, Key: key });
    const { Body, ContentLength, ETag } = await this.client.send(command, { abortSignal: signal });
    if (!(Body instanceof Readable)) throw new Error(`the bucket answered without the content of ${key}`);
    return { content: Body, bytes: ContentLength ?? 0, etag: ETag };
  }
}

function failureOf(thrown: unknown): BucketFailure {
  const error = toError(thrown);
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;
  const isNamed = status > 0 && /^[A-Z][A-Za-z]+$/.test(error.name) && error.name !== 'Unknown';
  return new BucketFailure(status, isNamed ? error.name : null, error);
}
