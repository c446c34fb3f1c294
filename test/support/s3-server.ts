/**
 * A local server for the part of S3 that the service uses. It checks signatures, enforces the rules of multipart uploads,
 * returns lists in pages, and serves ranges, and every answer can be replaced by a failure.
 */

import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { portOf } from '../../api/server/port-of.ts';
import { required } from '../../engine/util/values.ts';
import type { S3Settings } from '../../storage/s3.ts';

export interface S3Call {
  readonly operation: string;
  readonly key: string;
}

/** A refusal, a connection that breaks, an answer that never comes, or content that stops or breaks off in the middle. */
export type S3Fault =
  | { readonly status: number; readonly code: string; readonly headers?: Readonly<Record<string, string>> }
  | 'drop'
  | 'hang'
  | 'stall'
  | 'cut';

interface Upload {
  readonly key: string;
  readonly initiated: Date;
  readonly parts: Map<number, { readonly etag: string; readonly body: Buffer }>;
}

const MIN_PART_BYTES = 5 << 20;
const CLOCK_SKEW_MS = 15 * 60_000;
/** That of the vendor whose flat files it serves in some tests. */
const BUCKET = 'flatfiles';
const ACCESS_KEY = 'test-access-key';
const SECRET_KEY = 'test-secret-key';

class S3Error extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, headers: Readonly<Record<string, string>> = {}) {
    super(code);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export class S3Server {
  readonly objects = new Map<string, Buffer>();
  readonly uploads = new Map<string, Upload>();
  readonly calls: S3Call[] = [];
  /** Called before each call is served; a fault that it resolves with replaces the answer. */
  intercept: (call: S3Call) => Promise<S3Fault | undefined> | S3Fault | undefined = () => undefined;
  /** Entries per page of a list. */
  pageSize = 2;
  private readonly server: Server;
  private readonly region: string;
  private readonly host: string;

  private constructor(region: string, host: string) {
    this.region = region;
    this.host = host;
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  static async start(region = 'eu-test-1', host = '127.0.0.1'): Promise<S3Server> {
    const s3 = new S3Server(region, host);
    s3.server.listen(0, host);
    await once(s3.server, 'listening');
    return s3;
  }

  get settings(): S3Settings & { readonly endpoint: string } {
    const endpoint = `http://${this.host}:${portOf(this.server)}`;
    return { bucket: BUCKET, endpoint, region: this.region, accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Resets everything except the address. */
  reset(): void {
    this.objects.clear();
    this.uploads.clear();
    this.calls.length = 0;
    this.intercept = () => undefined;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await buffer(request);
      const url = new URL(required(request.url), 'http://s3');
      verifySignature(request, url, body, this.region);
      const [, bucket, ...rest] = url.pathname.split('/').map(decodeURIComponent);
      if (bucket !== BUCKET) throw new S3Error(404, 'NoSuchBucket');
      const key = rest.join('/');
      const call = { operation: operationOf(required(request.method), key, url.searchParams), key };
      this.calls.push(call);
      const fault = await this.intercept(call);
      if (fault === 'hang') return;
      if (fault === 'drop') return void request.socket.destroy();
      if (typeof fault === 'object') throw new S3Error(fault.status, fault.code, fault.headers);
      const { status, headers, content } = this.serve(call, request, url.searchParams, body);
      response.writeHead(status, headers);
      if (fault === undefined) return void response.end(content);
      const end = () => (fault === 'cut' ? request.socket.destroy() : undefined);
      response.write((content as Buffer).subarray(0, content.length / 2), end);
    } catch (error) {
      if (!(error instanceof S3Error)) return void request.socket.destroy();
      const text =
        request.method === 'HEAD'
          ? ''
          : xml(`<Error><Code>${error.code}</Code><Message>${error.code}: ada@example.com may not</Message></Error>`);
      response.writeHead(error.status, { ...error.headers, 'content-type': 'application/xml' }).end(text);
    }
  }

  private serve({ operation, key }: S3Call, request: IncomingMessage, query: URLSearchParams, body: Buffer) {
    switch (operation) {
      case 'HeadBucket':
        return reply(200);
      case 'PutObject':
        if (request.headers['if-none-match'] === '*' && this.objects.has(key)) {
          throw new S3Error(412, 'PreconditionFailed');
        }
        this.objects.set(key, body);
        return reply(200, '', { etag: etagOf(body) });
      case 'GetObject':
      case 'HeadObject':
        return this.object(key, operation === 'GetObject' ? request.headers.range : undefined);
      case 'DeleteObject':
        this.objects.delete(key);
        return reply(204);
      case 'ListObjectsV2':
        return this.list(query);
      case 'CreateMultipartUpload': {
        const id = randomUUID();
        this.uploads.set(id, { key, initiated: new Date(), parts: new Map() });
        return reply(
          200,
          xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`),
        );
      }
      case 'UploadPart':
        this.upload(key, query).parts.set(Number(query.get('partNumber')), { etag: etagOf(body), body });
        return reply(200, '', { etag: etagOf(body) });
      case 'CompleteMultipartUpload':
        return this.complete(key, query, body.toString());
      case 'AbortMultipartUpload':
        this.upload(key, query);
        this.uploads.delete(required(query.get('uploadId')));
        return reply(204);
      case 'ListMultipartUploads':
        return this.listUploads(query);
      default:
        throw new S3Error(501, 'NotImplemented');
    }
  }

  private object(key: string, range: string | undefined) {
    const content = this.objects.get(key);
    if (!content) throw new S3Error(404, 'NoSuchKey');
    const headers = { etag: etagOf(content), 'accept-ranges': 'bytes' };
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
    if (from === undefined) return reply(200, content, { ...headers, 'content-length': content.length });
    const [start, end] = [Number(from), Math.min(to === '' ? Infinity : Number(to), content.length - 1)];
    if (start >= content.length) throw new S3Error(416, 'InvalidRange');
    const part = content.subarray(start, end + 1);
    const contentRange = { 'content-range': `bytes ${start}-${end}/${content.length}` };
    return reply(206, part, { ...headers, ...contentRange, 'content-length': part.length });
  }

  private list(query: URLSearchParams) {
    const prefix = query.get('prefix') ?? '';
    const token = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString();
    const after = token || (query.get('start-after') ?? '');
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, this.pageSize);
    const entries = page.map((key) => {
      const content = required(this.objects.get(key));
      return `<Contents><Key>${key}</Key><ETag>${etagOf(content)}</ETag><Size>${content.length}</Size></Contents>`;
    });
    const next = Buffer.from(page.at(-1) ?? '').toString('base64');
    const more =
      keys.length > page.length
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${next}</NextContinuationToken>`
        : '';
    return reply(200, xml(`<ListBucketResult>${entries.join('')}${more}</ListBucketResult>`));
  }

  private listUploads(query: URLSearchParams) {
    const after = query.get('upload-id-marker') ?? '';
    const prefix = query.get('prefix') ?? '';
    const uploads = [...this.uploads]
      .filter(([id, { key }]) => id > after && key.startsWith(prefix))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const page = uploads.slice(0, this.pageSize);
    const entries = page.map(
      ([id, { key, initiated }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
    );
    const last = page.at(-1);
    const more =
      last && uploads.length > page.length
        ? `<IsTruncated>true</IsTruncated><NextKeyMarker>${last[1].key}</NextKeyMarker><NextUploadIdMarker>${last[0]}</NextUploadIdMarker>`
        : '';
    return reply(200, xml(`<ListMultipartUploadsResult>${entries.join('')}${more}</ListMultipartUploadsResult>`));
  }

  private upload(key: string, query: URLSearchParams): Upload {
    const upload = this.uploads.get(required(query.get('uploadId')));
    if (upload?.key !== key) throw new S3Error(404, 'NoSuchUpload');
    return upload;
  }

  /** The parts that the caller names, in ascending order, each but the last of at least 5 MiB. */
  private complete(key: string, query: URLSearchParams, body: string) {
    const { parts } = this.upload(key, query);
    const named = [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part]) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: /<ETag>(.*?)</.exec(part)?.[1].replaceAll('&quot;', '"'),
    }));
    const chosen = named.map(({ number, etag }, i) => {
      const part = parts.get(number);
      if (!part || part.etag !== etag) throw new S3Error(400, 'InvalidPart');
      if (i > 0 && number <= named[i - 1].number) throw new S3Error(400, 'InvalidPartOrder');
      if (i < named.length - 1 && part.body.length < MIN_PART_BYTES) throw new S3Error(400, 'EntityTooSmall');
      return part.body;
    });
    if (chosen.length === 0) throw new S3Error(400, 'MalformedXML');
    this.objects.set(key, Buffer.concat(chosen));
    this.uploads.delete(required(query.get('uploadId')));
    return reply(200, xml('<CompleteMultipartUploadResult><ETag>"whole-1"</ETag></CompleteMultipartUploadResult>'));
  }
}

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | number>;
  readonly content: string | Buffer;
}

function reply(status: number, content: string | Buffer = '', headers: Reply['headers'] = {}): Reply {
  const isXml = typeof content === 'string' && content !== '';
  return { status, headers: isXml ? { 'content-type': 'application/xml', ...headers } : headers, content };
}

const xml = (content: string) => `<?xml version="1.0" encoding="UTF-8"?>${content}`;
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`;

function operationOf(method: string, key: string, query: URLSearchParams): string {
  if (key === '') {
    if (method === 'HEAD') return 'HeadBucket';
    return query.has('uploads') ? 'ListMultipartUploads' : 'ListObjectsV2';
  }
  if (query.has('uploads')) return 'CreateMultipartUpload';
  if (!query.has('uploadId')) return `${{ GET: 'Get', PUT: 'Put', HEAD: 'Head', DELETE: 'Delete' }[method]}Object`;
  return { PUT: 'UploadPart', POST: 'CompleteMultipartUpload', DELETE: 'AbortMultipartUpload' }[method] ?? 'Unknown';
}

/** AWS Signature Version 4, as the server computes it from what has arrived. */
function verifySignature({ headers, method }: IncomingMessage, url: URL, body: Buffer, ownRegion: string): void {
  const [, keyId, day, region, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (keyId === undefined) throw new S3Error(403, 'AccessDenied');
  if (keyId !== ACCESS_KEY) throw new S3Error(403, 'InvalidAccessKeyId');
  const time = String(headers['x-amz-date']);
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(at - Date.now()) < CLOCK_SKEW_MS)) throw new S3Error(403, 'RequestTimeTooSkewed');
  if (!names.split(';').includes('host')) throw new S3Error(403, 'AccessDenied');
  const payload = String(headers['x-amz-content-sha256']);
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) throw new S3Error(400, 'XAmzContentSHA256Mismatch');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const canonicalHeaders = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, url.pathname, query, canonicalHeaders.join(''), names, payload].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n');
  const signingKey = [day, ownRegion, 's3', 'aws4_request'].reduce<string | Buffer>(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    `AWS4${SECRET_KEY}`,
  );
  const expected = createHmac('sha256', signingKey).update(toSign).digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) throw new S3Error(403, 'SignatureDoesNotMatch');
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
