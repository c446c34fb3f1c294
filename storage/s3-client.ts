/** The client of S3, as every bucket uses it. */
import { S3Client } from '@aws-sdk/client-s3';

const TIMEOUT_MS = 30_000;

export interface S3Settings {
  readonly bucket: string;
  readonly endpoint?: string;
  readonly region: string;
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  /** For connecting, and for an answer to begin; default 30 s. */
  readonly timeoutMs?: number;
  /** How often a call is tried; default 3. */
  readonly maxAttempts?: number;
  /** For content in which nothing arrives; default: no limit. */
  readonly stallMs?: number;
}

export function createS3Client(settings: S3Settings): S3Client {
  const { region, endpoint, accessKeyId, secretAccessKey, timeoutMs = TIMEOUT_MS, maxAttempts, stallMs } = settings;
  return new S3Client({
    region,
    endpoint,
    maxAttempts,
    forcePathStyle: endpoint !== undefined,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    // A storage that does not answer has failed; the call is tried again.
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
}

/** A call to a bucket that failed after all its tries; a status of 0 means that no answer came. */
export class BucketFailure extends Error {
  override readonly name = 'BucketFailure';
  readonly status: number;
  /** The server's name of the failure, such as `AccessDenied`; answers to HEAD have none. */
  readonly code: string | null;

  constructor(status: number, code: string | null, cause: Error) {
    super(status > 0 ? `${status}${code === null ? '' : ` ${code}`}` : `no answer: ${cause.message}`, { cause });
    this.status = status;
    this.code = code;
  }
}
