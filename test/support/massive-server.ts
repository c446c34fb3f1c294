/**
 * A local stand-in for Massive: its REST API, with pages, cursors, and refusals, and its bucket of flat files. Rows and files are
 * those that a test gives it.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { portOf } from '../../api/server/port-of.ts';
import { newYorkTime, requireDay } from '../../engine/market/dates.ts';
import { required } from '../../engine/util/values.ts';
import type { MassiveSettings } from '../../jobs/providers/massive/massive-provider.ts';
import { S3Server } from './s3-server.ts';

export interface RestCall {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Another answer than the data: a refusal, a closed connection, half a body, or a page that names itself as the next. */
export type RestFault = Answer | 'drop' | 'half' | 'circle';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function refusal(status: number, error: string): Answer {
  return { status, body: JSON.stringify({ status: 'ERROR', request_id: randomUUID(), error }) };
}

interface List {
  readonly parameters: readonly string[];
  readonly maxLimit: number;
  readonly isOrdered: boolean;
}

const LISTS: Readonly<Record<string, List>> = {
  '/v3/reference/tickers': {
    parameters: ['market', 'active', 'type', 'date', 'sort', 'order'],
    maxLimit: 1_000,
    isOrdered: true,
  },
  '/stocks/v1/splits': { parameters: ['ticker', 'adjustment_type', 'sort'], maxLimit: 5_000, isOrdered: false },
  '/stocks/v1/dividends': { parameters: ['ticker', 'distribution_type', 'sort'], maxLimit: 5_000, isOrdered: false },
};
const MINUTES_PATH = /^\/v2\/aggs\/ticker\/([^/]+)\/range\/1\/minute\/(\d{4}-\d\d-\d\d)\/\2$/;
const KEY = 'rest-key-of-the-tests';

const AGGREGATES_HEADER = 'ticker,volume,open,close,high,low,window_start,transactions';
export const dayKey = (date: string) =>
  `us_stocks_sip/day_aggs_v1/${date.slice(0, 4)}/${date.slice(5, 7)}/${date}.csv.gz`;
export const minuteKey = (date: string) => dayKey(date).replace('day_aggs_v1', 'minute_aggs_v1');

/** Nanoseconds of a New York time, as the files have them. */
export function windowStart(date: string, hour = 0, minute = 0): string {
  return `${newYorkTime(requireDay(date), hour, minute)}000000`;
}

export class MassiveServer {
  readonly bucket: S3Server;
  /** Rows of each list by its path. */
  rows: Record<string, readonly object[]> = {};
  /** Minutes by ticker and date, such as `AAPL 2024-07-02`. */
  minutes: Record<string, readonly object[]> = {};
  pageSize = 2;
  readonly calls: RestCall[] = [];
  /** Called before each call is served. */
  intercept: (call: RestCall) => RestFault | undefined = () => undefined;
  private readonly server: Server;

  private constructor(bucket: S3Server) {
    this.bucket = bucket;
    this.server = createServer((request, response) => this.answer(request, response));
  }

  static async start(): Promise<MassiveServer> {
    const massive = new MassiveServer(await S3Server.start('us-east-1'));
    massive.server.listen(0, '127.0.0.1');
    await once(massive.server, 'listening');
    return massive;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${portOf(this.server)}`;
  }

  get settings(): MassiveSettings {
    return {
      rest: { baseUrl: this.baseUrl, apiKey: KEY, retryMs: 1 },
      flatFiles: { ...this.bucket.settings, maxAttempts: 2 },
      primarySessionFrom: null,
    };
  }

  /** As variables of a process. */
  get environment(): Readonly<Record<string, string>> {
    const { endpoint, accessKeyId, secretAccessKey } = this.bucket.settings;
    return {
      PROVIDER: 'massive',
      MASSIVE_API_KEY: KEY,
      MASSIVE_BASE_URL: this.baseUrl,
      MASSIVE_S3_ENDPOINT: endpoint,
      MASSIVE_S3_ACCESS_KEY_ID: required(accessKeyId),
      MASSIVE_S3_SECRET_ACCESS_KEY: required(secretAccessKey),
    };
  }

  stop(): void {
    this.bucket.stop();
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Resets everything except the addresses. */
  reset(): void {
    this.bucket.reset();
    this.bucket.pageSize = 1_000;
    this.rows = {};
    this.minutes = {};
    this.calls.length = 0;
    this.intercept = () => undefined;
  }

  /** Puts a gzipped file of rows without their header into the bucket. */
  putFile(key: string, rows: readonly string[], header = AGGREGATES_HEADER): void {
    this.bucket.objects.set(key, gzipSync(`${[header, ...rows].join('\n')}\n`));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(required(request.url), this.baseUrl);
    const call = { path: url.pathname, query: Object.fromEntries(url.searchParams) };
    this.calls.push(call);
    const isKnown = request.headers.authorization === `Bearer ${KEY}`;
    const fault = isKnown ? this.intercept(call) : refusal(401, 'Unknown API Key');
    if (fault === 'drop') {
      request.socket.destroy();
      return;
    }
    const answer = typeof fault === 'object' ? fault : this.serve(call, url, fault);
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(fault === 'half' ? answer.body.slice(0, answer.body.length / 2) : answer.body);
  }

  private serve(call: RestCall, url: URL, fault: RestFault | undefined): Answer {
    const minutes = MINUTES_PATH.exec(call.path);
    const content = minutes ? this.minutesOf(minutes, call) : this.pageOf(call, url, fault);
    if (content === null) return refusal(404, 'Not found');
    if (typeof content === 'string') return refusal(400, content);
    return { status: 200, body: JSON.stringify({ status: 'OK', request_id: randomUUID(), ...content }) };
  }

  /** A page; null for an unknown path, a text for a bad parameter. */
  private pageOf({ path, query }: RestCall, url: URL, fault: RestFault | undefined): object | string | null {
    const list = LISTS[path];
    if (!list) return null;
    const unknown = Object.keys(query).find((name) => ![...list.parameters, 'limit', 'cursor'].includes(name));
    if (unknown !== undefined) return `unknown parameter ${unknown}`;
    if (Number(query.limit ?? 1) > list.maxLimit) return `limit must be at most ${list.maxLimit}`;
    const [first, active] = query.cursor ? query.cursor.split('-') : ['0', query.active ?? ''];
    const rows = (this.rows[path] ?? []).filter(
      (row) => active === '' || String(Reflect.get(row, 'active')) === active,
    );
    const at = Number(first);
    const next = at + this.pageSize;
    const cursor = `${fault === 'circle' ? at : next}-${active}`;
    const hasMore = next < rows.length || fault === 'circle';
    return {
      results: rows.slice(at, next),
      ...(list.isOrdered ? { count: Math.min(this.pageSize, rows.length - at) } : {}),
      ...(hasMore ? { next_url: `${url.origin}${path}?cursor=${cursor}` } : {}),
    };
  }

  private minutesOf([, ticker, date]: RegExpExecArray, { query }: RestCall): object | string {
    if (query.adjusted !== 'false') return 'the tests expect prices as traded';
    const results = this.minutes[`${decodeURIComponent(ticker)} ${date}`];
    return { ticker, adjusted: false, resultsCount: results?.length ?? 0, ...(results ? { results } : {}) };
  }
}
