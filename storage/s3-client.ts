/** The S3 client of all buckets. */
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';

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
