/** Object storage in an S3 bucket. */
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { codeOf, stringProperty } from '../engine/util/errors.ts';
import { assertKey, PROBE_KEY } from './keys.ts';
import { type ByteRange, type ObjectStorage, StorageFull, StorageUnreachable, type StoredObject } from './storage.ts';
import { WriteProbe } from './write-probe.ts';

const TIMEOUT_MS = 30_000;

export interface S3Settings {
  readonly bucket: string;
  readonly endpoint?: string;
  readonly region: string;
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  /** Limit for connecting, and until an answer begins; default 30 s. */
  readonly timeoutMs?: number;
  /** How often a call is tried; default 3. */
  readonly maxAttempts?: number;
  /** Limit for pauses in the content of an answer; default: none. */
  readonly stallMs?: number;
  /** Bytes of a part of an upload, of which there are at most 10,000; default 5 MiB. Four are in memory. */
  readonly partBytes?: number;
}

export function createS3Client(settings: S3Settings): S3Client {
  const { region, endpoint, accessKeyId, secretAccessKey, timeoutMs = TIMEOUT_MS, maxAttempts, stallMs } = settings;
  const client = new S3Client({
    region,
    endpoint,
    maxAttempts,
    forcePathStyle: endpoint !== undefined,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    // A call without an answer fails, and is retried.
    requestHandler: {
      connectionTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      socketTimeout: stallMs,
      throwOnRequestTimeout: true,
    },
    // Many S3-compatible servers do not know the newer checksum trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  client.middlewareStack.add(
    (next) => (call) =>
      next(call).catch((error) => {
        throw withoutWords(error);
      }),
    { step: 'deserialize', priority: 'high', name: 'withoutWords' },
  );
  return client;
}

/** Replaces the sentence of a server's refusal, which may name anything, by its status and code. */
function withoutWords(error: unknown): unknown {
  if (error instanceof S3ServiceException) {
    const code = /^\w{1,64}$/.test(error.name) ? ` ${error.name}` : '';
    error.message = `${error.$metadata.httpStatusCode ?? 'no status'}${code}`;
    error.stack = undefined;
  }
  return error;
}

/** A call to a bucket failed in all attempts. Status 0: there was no answer. */
export class BucketFailure extends Error {
  override readonly name = 'BucketFailure';
  readonly status: number;
  /** The server's error code, such as `AccessDenied`; answers to HEAD have none. */
  readonly code: string | null;

  constructor(status: number, code: string | null, cause: Error) {
    super(status > 0 ? `${status}${code === null ? '' : ` ${code}`}` : `no answer: ${cause.message}`, { cause });
    this.status = status;
    this.code = code;
  }
}

/** Error names of S3-compatible servers for a full disk or an exhausted quota; S3 itself has neither. */
const FULL = /(QuotaExceeded|StorageFull|InsufficientStorage)$/;
const NETWORK = /^(ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/;

/** Turns the error of the last attempt of a call into the one that callers get. */
function storageError(thrown: unknown): unknown {
  if (!(thrown instanceof S3ServiceException)) {
    const isUnreachable = stringProperty(thrown, 'name') === 'TimeoutError' || NETWORK.test(codeOf(thrown) ?? '');
    return isUnreachable ? new StorageUnreachable(thrown) : thrown;
  }
  const status = thrown.$metadata.httpStatusCode ?? 0;
  if (FULL.test(thrown.name) || status === 507) return new StorageFull({ cause: thrown });
  return status >= 500 ? new StorageUnreachable(thrown) : thrown;
}

const TAKEN: ReadonlySet<number> = new Set([409, 412]);

const PROBE_EVERY_MS = 60_000;

/** Objects in an S3 bucket, or in another server with its protocol at `endpoint`. */
export class S3Storage implements ObjectStorage {
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly partSize: number | undefined;
  private readonly probe = new WriteProbe(() => this.writeProbe(), PROBE_EVERY_MS);

  constructor(settings: S3Settings) {
    this.bucket = settings.bucket;
    this.partSize = settings.partBytes;
    this.client = createS3Client(settings);
    this.client.middlewareStack.add(
      (next) => (call) =>
        next(call).catch((error) => {
          throw storageError(error);
        }),
      { step: 'initialize', name: 'storageError' },
    );
  }

  async put(key: string, content: Readable): Promise<number> {
    assertKey(key);
    let bytes = 0;
    content.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    content.pause();
    // It aborts the multipart upload when the stream fails.
    const { client, partSize } = this;
    const upload = new Upload({ client, partSize, params: { Bucket: this.bucket, Key: key, Body: content } });
    await upload.done();
    return bytes;
  }

  async putNew(key: string, content: Buffer): Promise<boolean> {
    assertKey(key);
    try {
      await this.client.send(new PutObjectCommand({ Bucket: this.bucket, Key: key, Body: content, IfNoneMatch: '*' }));
      return true;
    } catch (error) {
      // 409: another writer is storing it at this moment.
      if (error instanceof S3ServiceException && TAKEN.has(error.$metadata.httpStatusCode ?? 0)) return false;
      throw error;
    }
  }

  locationOf(key: string): string {
    return `s3://${this.bucket}/${key}`;
  }

  async get(key: string, range?: ByteRange): Promise<Readable | null> {
    assertKey(key);
    try {
      const { Body } = await this.client.send(
        new GetObjectCommand({ Bucket: this.bucket, Key: key, Range: range && `bytes=${range.start}-${range.end}` }),
      );
      if (!(Body instanceof Readable)) throw new Error(`the bucket answered without the content of ${key}`);
      return Body;
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }

  async has(key: string): Promise<boolean> {
    return (await this.size(key)) !== null;
  }

  async size(key: string): Promise<number | null> {
    assertKey(key);
    try {
      const { ContentLength } = await this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: key }));
      if (ContentLength === undefined) throw new Error(`the bucket answered without the size of ${key}`);
      return ContentLength;
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    assertKey(key);
    await this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key }));
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    const pages = paginateListObjectsV2({ client: this.client }, { Bucket: this.bucket, Prefix: prefix });
    for await (const { Contents = [] } of pages) {
      for (const { Key, Size } of Contents) {
        if (Key !== undefined && Size !== undefined) yield { key: Key, bytes: Size };
      }
    }
  }

  async removeUnfinished(before: Date, prefix?: string): Promise<number> {
    let marker: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } = {};
    let removed = 0;
    for (;;) {
      const page = await this.client.send(
        new ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix: prefix, ...marker }),
      );
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (!Initiated || Initiated >= before) continue;
        await this.client.send(new AbortMultipartUploadCommand({ Bucket: this.bucket, Key, UploadId }));
        removed++;
      }
      if (!page.IsTruncated) return removed;
      marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }

  async check(): Promise<void> {
    await this.client.send(new HeadBucketCommand({ Bucket: this.bucket }));
    await this.probe.check();
  }

  private async writeProbe(): Promise<void> {
    await this.client.send(new PutObjectCommand({ Bucket: this.bucket, Key: PROBE_KEY, Body: Buffer.alloc(0) }));
  }
}
