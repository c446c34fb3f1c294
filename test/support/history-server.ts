/**
 * A local stand-in for Tiingo and EODHD: their lists and histories as JSON, with keys, limits, and refusals. The market is what a test
 * gives it.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { portOf } from '../../api/server/port-of.ts';
import { required } from '../../engine/util/values.ts';
import type { WrittenBar } from './file-layouts.ts';
import { zipOf } from './zip.ts';

export interface VendorCall {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Another answer than the data: a closed connection, half a body, or a status with its text. */
export type VendorFault = 'drop' | 'half' | VendorAnswer;

interface VendorAnswer {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface VendorEvent {
  readonly date: string;
  /** Cash per share, as it was paid. */
  readonly dividend?: number;
  /** New shares for an old one. */
  readonly split?: number;
}

export interface VendorInstrument {
  /** In the vendors' spelling. */
  readonly symbol: string;
  readonly name: string;
  readonly type: { readonly tiingo: string; readonly eodhd: string };
  readonly venue: string;
  readonly currency?: string;
  readonly isDelisted?: boolean;
  readonly bars: readonly WrittenBar[];
  readonly events?: readonly VendorEvent[];
}

export const VENDOR_KEY = 'key-of-the-tests';
const TIINGO_LIST = '/docs/tiingo/daily/supported_tickers.zip';
const EODHD_LIST = '/api/exchange-symbol-list/US';
const TIINGO_HISTORY = /^\/tiingo\/daily\/([^/]+)\/prices$/;
const EODHD_ANSWER = /^\/api\/(eod|div|splits)\/([^/]+)\.US$/;
const PARAMETERS: ReadonlySet<string> = new Set(
  'startDate endDate format from to period fmt delisted api_token'.split(' '),
);

export class HistoryServer {
  market: readonly VendorInstrument[] = [];
  /** Records that are added to each answer of a path. */
  extra: Record<string, readonly unknown[]> = {};
  /** Lines that are added to Tiingo's list. */
  extraLines: readonly string[] = [];
  readonly calls: VendorCall[] = [];
  /** Called before each call is served. */
  intercept: (call: VendorCall) => VendorFault | undefined = () => undefined;
  /** Before each answer begins. */
  delayMs = 0;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  static async start(): Promise<HistoryServer> {
    const vendor = new HistoryServer();
    vendor.server.listen(0, '127.0.0.1');
    await once(vendor.server, 'listening');
    return vendor;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${portOf(this.server)}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  reset(): void {
    this.market = [];
    this.extra = {};
    this.extraLines = [];
    this.calls.length = 0;
    this.delayMs = 0;
    this.intercept = () => undefined;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(required(request.url), this.baseUrl);
    const query = Object.fromEntries(url.searchParams);
    const call = { path: decodeURIComponent(url.pathname), query };
    this.calls.push(call);
    await sleep(this.delayMs);
    const fault = this.isAllowed(call, request) ? this.intercept(call) : { status: 401, body: 'Unauthenticated' };
    if (fault === 'drop') {
      request.socket.destroy();
      return;
    }
    const answer = typeof fault === 'object' ? fault : await this.serve(call);
    const body = Buffer.from(answer.body);
    response.writeHead(answer.status, answer.headers);
    response.end(fault === 'half' ? body.subarray(0, body.length / 2) : body);
  }

  private isAllowed({ path, query }: VendorCall, { headers }: IncomingMessage): boolean {
    if (path === TIINGO_LIST) return headers.authorization === undefined;
    return path.startsWith('/tiingo/')
      ? headers.authorization === `Token ${VENDOR_KEY}`
      : query.api_token === VENDOR_KEY;
  }

  private async serve({ path, query }: VendorCall): Promise<VendorAnswer> {
    const unknown = Object.keys(query).find((name) => !PARAMETERS.has(name));
    if (unknown !== undefined) return { status: 400, body: `unknown parameter ${unknown}` };
    if (path === TIINGO_LIST) return { status: 200, body: await zipOf({ 'supported_tickers.csv': this.tiingoList() }) };
    const records = path === EODHD_LIST ? this.eodhdList(query.delisted === '1') : this.historyOf(path, query);
    if (records === null) return { status: 404, body: JSON.stringify({ detail: 'Not found.' }) };
    return { status: 200, body: JSON.stringify([...records, ...(this.extra[path] ?? [])]) };
  }

  private tiingoList(): string {
    const rows = this.market.map(({ symbol, venue, type, currency = 'USD', bars }) =>
      [symbol, venue, type.tiingo, currency, bars.at(0)?.date, bars.at(-1)?.date].join(','),
    );
    return `${['ticker,exchange,assetType,priceCurrency,startDate,endDate', ...rows, ...this.extraLines].join('\r\n')}\r\n`;
  }

  private eodhdList(isDelisted: boolean): object[] {
    return this.market
      .filter((one) => (one.isDelisted ?? false) === isDelisted)
      .map(({ symbol, name, venue, type, currency = 'USD' }) => ({
        Code: symbol,
        Name: name,
        Country: 'USA',
        Exchange: venue,
        Currency: currency,
        Type: type.eodhd,
        Isin: null,
      }));
  }

  private historyOf(path: string, query: VendorCall['query']): object[] | null {
    const tiingo = TIINGO_HISTORY.exec(path);
    const [, kind, code] = tiingo ? [path, 'tiingo', tiingo[1]] : (EODHD_ANSWER.exec(path) ?? []);
    const instrument = this.market.find(({ symbol }) => symbol === code);
    if (!instrument) return null;
    const [start, end] = [query.startDate ?? query.from, query.endDate ?? query.to];
    const isWithin = ({ date }: { date: string }) => date >= start && date <= end;
    const [bars, events] = [instrument.bars.filter(isWithin), (instrument.events ?? []).filter(isWithin)];
    if (kind === 'tiingo') return bars.map((bar) => tiingoRecord(bar, events));
    if (kind === 'div') return dividends(instrument, events);
    if (kind === 'splits') {
      return events.flatMap(({ date, split }) => (split ? [{ date, split: `${split.toFixed(6)}/1.000000` }] : []));
    }
    return bars.map(({ symbol: _, close, ...bar }) => ({ ...bar, close, adjusted_close: close / 2 }));
  }
}

function tiingoRecord({ symbol: _, date, ...bar }: WrittenBar, events: readonly VendorEvent[]): object {
  const { dividend = 0, split = 1 } = events.find((event) => event.date === date) ?? {};
  const { open, high, low, close, volume } = bar;
  const adjusted = { adjOpen: open / 2, adjHigh: high / 2, adjLow: low / 2, adjClose: close / 2, adjVolume: volume };
  return { date: `${date}T00:00:00.000Z`, ...bar, ...adjusted, divCash: dividend, splitFactor: split };
}

/** `value` is on the share count of today. */
function dividends({ events = [] }: VendorInstrument, asked: readonly VendorEvent[]): object[] {
  const later = (date: string) => events.reduce((all, one) => (one.date > date ? all * (one.split ?? 1) : all), 1);
  return asked.flatMap(({ date, dividend }) =>
    dividend ? [{ date, value: dividend / later(date), unadjustedValue: dividend, currency: 'USD' }] : [],
  );
}
