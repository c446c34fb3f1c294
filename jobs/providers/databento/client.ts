/**
 * The HTTP API of Databento (https://hist.databento.com): authentication, retries, and refusals. After a refused key or an
 * unpaid account, all calls fail for a while without being sent.
 */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import type { Day } from '../../../engine/market/dates.ts';
import { toError } from '../../../engine/util/errors.ts';
import { ProviderError } from '../provider.ts';
import { describeRefusal, readJson, VendorHttp, VendorRefusal } from '../vendor-http.ts';

const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** The lines of a body without their line ends. Throws when the last line has none, because the answer is then truncated. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of decompressed(new Chunks(body))) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new ProviderError('the answer ends in the middle of a line', { isTransient: true });
}

/** The chunks of a body; the unread part of a chunk can be put back. */
class Chunks {
  private readonly source: AsyncIterator<Buffer>;
  private putBackChunks: Buffer[] = [];

  constructor(body: ReadableStream<Uint8Array>) {
    this.source = Readable.fromWeb(body)[Symbol.asyncIterator]();
  }

  /** Null at the end. */
  async next(): Promise<Buffer | null> {
    const first = this.putBackChunks.shift();
    if (first) return first;
    const { value, done } = await this.source.next();
    return done ? null : value;
  }

  putBack(chunk: Buffer): void {
    if (chunk.length > 0) this.putBackChunks.unshift(chunk);
  }

  async startsWith(magic: Buffer): Promise<boolean> {
    let head: Buffer = Buffer.alloc(0);
    while (head.length < magic.length) {
      const chunk = await this.next();
      if (!chunk) break;
      head = Buffer.concat([head, chunk]);
    }
    this.putBack(head);
    return head.subarray(0, magic.length).equals(magic);
  }
}

async function* decompressed(chunks: Chunks): AsyncGenerator<Uint8Array> {
  if (!(await chunks.startsWith(ZSTD_MAGIC))) {
    for (let chunk = await chunks.next(); chunk; chunk = await chunks.next()) yield chunk;
    return;
  }
  for (let chunk = await chunks.next(); chunk; chunk = await chunks.next()) {
    chunks.putBack(chunk);
    yield* oneFrame(chunks);
  }
}

/**
 * The content of one frame, or of several that end with their chunks. The decompressor ends when a chunk continues after the frame; the
 * rest is put back for the next frame.
 */
async function* oneFrame(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const zstd = createZstdDecompress();
  let bytesFed = 0;
  let last: Buffer = Buffer.alloc(0);
  const source = (async function* () {
    for (let chunk = await chunks.next(); chunk && !zstd.readableEnded; chunk = await chunks.next()) {
      bytesFed += chunk.length;
      last = chunk;
      yield chunk;
    }
  })();
  const feeding = (async () => {
    for await (const chunk of source) {
      await new Promise<void>((resolve) => {
        const done = () => resolve();
        zstd.once('end', done);
        zstd.write(chunk, done);
      });
      if (zstd.bytesWritten < bytesFed) return;
    }
    zstd.end();
  })().catch((error) => void zstd.destroy(error));
  yield* zstd;
  await feeding;
  chunks.putBack(last.subarray(last.length - (bytesFed - zstd.bytesWritten)));
}

export interface DatabentoSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** First day of `primary_session` bars; null: none are loaded, because the minutes of all venues are expensive. */
  readonly primarySessionFrom: Day | null;
  /** First pause before a retry; doubles each time. Default 500 ms. */
  readonly retryMs?: number;
  /** Until an answer begins. Default 100 s, that of the vendor's clients. */
  readonly timeoutMs?: number;
}

/** A refusal; `case` is the vendor's stable code for it. */
export class DatabentoError extends VendorRefusal {
  readonly case: string | null;
  /** The vendor's sentence, to be read but neither logged nor stored. */
  readonly words: string;
  readonly payload: Readonly<Record<string, unknown>>;

  constructor(message: string, status: number, detail: Detail) {
    super(message, status);
    this.case = detail.case;
    this.words = detail.words;
    this.payload = detail.payload;
  }
}

interface Detail {
  readonly case: string | null;
  readonly words: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export type Form = Readonly<Record<string, string | number | boolean | undefined>>;

const MAX_TRIES = 5;
const RETRY_MS = 500;
/** Statuses after which all further calls will fail too. */
const FATAL = new Set([401, 402]);

export class DatabentoClient {
  private readonly settings: DatabentoSettings;
  private readonly http: VendorHttp;

  constructor(settings: DatabentoSettings) {
    this.settings = settings;
    this.http = new VendorHttp({
      retryMs: settings.retryMs ?? RETRY_MS,
      maxTries: MAX_TRIES,
      timeoutMs: settings.timeoutMs,
      refusalOf,
      isFatal: (refusal) => refusal instanceof DatabentoError && isFatal(refusal),
    });
  }

  async getJson<T>(method: string, query: Form, schema: z.ZodType<T>): Promise<T> {
    return readJson(method, await this.ask(method, { method: 'GET' }, `?${encode(query)}`), schema);
  }

  async postJson<T>(method: string, form: Form, schema: z.ZodType<T>): Promise<T> {
    return readJson(method, await this.post(method, form), schema);
  }

  /** Lines of a streamed answer. Throws when the stream breaks off. */
  async *postLines(method: string, form: Form, signal?: AbortSignal): AsyncGenerator<string> {
    const response = await this.post(method, form, signal);
    if (!response.body) return;
    try {
      yield* linesOf(response.body);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof ProviderError) throw error;
      throw new ProviderError(`${method}: the answer broke off: ${toError(error).message}`, {
        cause: error,
        isTransient: true,
      });
    }
  }

  private post(method: string, form: Form, signal?: AbortSignal): Promise<Response> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.ask(method, { method: 'POST', body: encode(form), headers }, '', signal);
  }

  private ask(method: string, init: RequestInit, query: string, signal?: AbortSignal): Promise<Response> {
    const { baseUrl, apiKey } = this.settings;
    const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;
    const headers = { ...init.headers, authorization };
    return this.http.ask(method, `${baseUrl}/v0/${method}${query}`, { ...init, headers }, signal);
  }
}

/** Omits parameters that are not set. */
function encode(form: Form): string {
  const set = Object.entries(form).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(Object.fromEntries(set.map(([name, value]) => [name, String(value)]))).toString();
}

/** `{"detail": "text"}`, `{"detail": {case, message, payload}}`, or the text of a proxy. */
async function refusalOf(method: string, response: Response): Promise<DatabentoError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  const detail = detailOf(text);
  const said = { status, code: detail.case, requestId: headers.get('request-id') };
  const message = describeRefusal(method, { ...said, keyVariable: 'DATABENTO_API_KEY' });
  return new DatabentoError(message, status, detail);
}

const refusalBody = z.object({ detail: z.unknown() });
const namedDetail = z.object({
  case: z.string().nullish(),
  message: z.string().nullish(),
  payload: z.record(z.string(), z.unknown()).nullish(),
});

function detailOf(text: string): Detail {
  try {
    const { case: name, message, payload } = namedDetail.parse(refusalBody.parse(JSON.parse(text)).detail);
    return { case: name ?? null, words: message ?? '', payload: payload ?? {} };
  } catch {
    return { case: null, words: '', payload: {} };
  }
}

function isFatal(error: DatabentoError): boolean {
  return FATAL.has(error.status) || error.case === 'auth_account_locked';
}

/** Whether the account has no subscription for the requested data. */
export function isNotSubscribed(error: unknown): boolean {
  return error instanceof DatabentoError && error.case === 'license_reference_dataset_no_subscription';
}
