/** The flat files of Massive: a gzipped CSV file per session in a bucket. */
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { type Day, formatDay, parseDay } from '../../../engine/market/dates.ts';
import { BucketFailure, type S3Settings } from '../../../storage/s3.ts';
import type { VendorBucket } from '../../../storage/vendor-bucket.ts';
import type { SourceDigest } from '../file-account.ts';
import { ProviderError } from '../provider.ts';
import { decompressed, digested, type TextChunk, textChunks } from '../text-chunks.ts';

export const DAY_AGGREGATES = 'us_stocks_sip/day_aggs_v1';
export const MINUTE_AGGREGATES = 'us_stocks_sip/minute_aggs_v1';
export type FileSet = typeof DAY_AGGREGATES | typeof MINUTE_AGGREGATES;

export interface FlatFile {
  readonly day: Day;
  readonly key: string;
}

export interface ListedFile extends FlatFile {
  /** Compressed. */
  readonly bytes: number;
  readonly etag: string | undefined;
}

export interface FileChunk extends TextChunk {
  /** Share of the file that has been read, 0 to 1. */
  readonly progress: number;
}

/** The server's codes for refused keys; `AccessDenied` means that the plan does not include a file. */
const BAD_KEYS = new Set(['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'RequestTimeTooSkewed']);
/** The newest file is usually not older. */
const RECENT_DAYS = 30;

export class FlatFiles {
  private readonly settings: S3Settings;
  private opened: Promise<VendorBucket> | null = null;

  constructor(settings: S3Settings) {
    this.settings = settings;
  }

  /** Files of the days from `start` to `end`, oldest first, including those that the plan does not include. */
  async *list(set: FileSet, start: Day, end: Day): AsyncGenerator<ListedFile> {
    const bucket = await this.bucket();
    try {
      for await (const { key, bytes, etag } of bucket.list(`${set}/`, keyOf(set, start - 1))) {
        const day = dayOfKey(set, key);
        if (day === null || day < start) continue;
        if (day > end) return;
        yield { day, key, bytes, etag };
      }
    } catch (error) {
      throw failure(error, `${set}/`);
    }
  }

  /** First and last file that the plan includes; null: it includes none. */
  async range(set: FileSet, today: Day): Promise<{ first: Day; newest: Day } | null> {
    const files = await Array.fromAsync(this.list(set, today - RECENT_DAYS, today));
    const newest = (files.at(-1) ?? (await Array.fromAsync(this.list(set, FIRST_FILE, today))).at(-1))?.day;
    if (newest === undefined || !(await this.isIncluded(set, newest))) return null;
    return { first: await this.firstIncluded(set, newest), newest };
  }

  /** Whether the plan includes a file; null: there is no such file. */
  private async isIncluded(set: FileSet, day: Day): Promise<boolean | null> {
    const bucket = await this.bucket();
    const key = keyOf(set, day);
    try {
      await bucket.head(key);
      return true;
    } catch (error) {
      const status = error instanceof BucketFailure ? error.status : null;
      if (status === 403) return false;
      if (status === 404) return null;
      throw failure(error, key);
    }
  }

  /** The first included file, by binary search: a plan includes the newest years. */
  private async firstIncluded(set: FileSet, newest: Day): Promise<Day> {
    const { value: oldest } = await this.list(set, FIRST_FILE, newest).next();
    const sessions = sessionsBetween(oldest?.day ?? newest, newest);
    let [low, high] = [0, sessions.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      // If a session has no file, the next one is checked.
      let at = middle;
      let isIncluded = await this.isIncluded(set, sessions[at]);
      while (isIncluded === null && at < high) isIncluded = await this.isIncluded(set, sessions[++at]);
      if (isIncluded === false) low = at + 1;
      else high = middle;
    }
    return sessions[high];
  }

  /** The text of a file. Throws when it arrives incomplete or is not a complete gzip file. */
  async *chunks({ key }: FlatFile, signal: AbortSignal, digest?: SourceDigest): AsyncGenerator<FileChunk> {
    const bucket = await this.bucket();
    const { content, bytes, etag } = await bucket.open(key, signal).catch((error) => {
      signal.throwIfAborted();
      throw failure(error, key);
    });
    if (digest) digest.version = etag;
    let read = 0;
    const counted = async function* () {
      for await (const chunk of content) {
        read += chunk.length;
        yield chunk;
      }
    };
    const fault = (line: number, error: Error) =>
      read < bytes
        ? new ProviderError(`${key}: ${read} of ${bytes} bytes arrived`, { cause: error, isTransient: true })
        : new ProviderError(`${key}:${line}: the file cannot be read: ${error.message}`, {
            cause: error,
            isLocal: true,
          });
    try {
      for await (const { lines, line } of textChunks(decompressed(digested(counted(), digest), 'gzip'), fault)) {
        yield { lines, line, progress: bytes > 0 ? read / bytes : 1 };
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      content.destroy();
    }
  }

  /** The S3 client takes 20 MB in every thread, so it is loaded at the first use. */
  private bucket(): Promise<VendorBucket> {
    this.opened ??= import('../../../storage/vendor-bucket.ts').then(
      ({ VendorBucket: Bucket }) => new Bucket(this.settings),
    );
    return this.opened;
  }
}

/** Older than any file. */
const FIRST_FILE: Day = 0;

function keyOf(set: FileSet, day: Day): string {
  const date = formatDay(day);
  return `${set}/${date.slice(0, 4)}/${date.slice(5, 7)}/${date}.csv.gz`;
}

function dayOfKey(set: FileSet, key: string): Day | null {
  const day = parseDay(key.slice(-'YYYY-MM-DD.csv.gz'.length).slice(0, 10));
  return day !== null && key === keyOf(set, day) ? day : null;
}

/** Turns the failure of a call into a `ProviderError`. */
function failure(error: unknown, key: string): unknown {
  if (!(error instanceof BucketFailure)) return error;
  const { status, code, message } = error;
  const refusal = (why: string, kind: { isTransient?: boolean; isLocal?: boolean }) =>
    new ProviderError(`${key}: ${message}${why}`, { cause: error, ...kind });
  if (code !== null && BAD_KEYS.has(code)) return refusal(': MASSIVE_S3_ACCESS_KEY_ID or its secret is refused', {});
  if (status === 403) return refusal(': the plan does not include this file', { isLocal: true });
  if (status === 404) return refusal(': there is no such file', { isLocal: true });
  return refusal('', { isTransient: status === 0 || status === 429 || status >= 500 });
}
