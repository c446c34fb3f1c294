/**
 * A local server for Databento's historical API. It checks the key and every form field, respects its date range, sends
 * rows unordered and compressed as requested, and can fail in every way that the vendor does.
 */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { zstdCompressSync } from 'node:zlib';
import { portOf } from '../../api/server/port-of.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../engine/market/dates.ts';
import { required } from '../../engine/util/values.ts';
import type { DatabentoSettings } from '../../jobs/providers/databento/client.ts';

export interface StubBar {
  readonly symbol: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly prices: readonly [number, number, number, number] | null;
  readonly volume: number;
}

/** A minute at a venue. */
export interface StubMinute {
  readonly dataset: string;
  /** In the venue's own convention. */
  readonly symbol: string;
  /** ISO instant. */
  readonly at: string;
  readonly prices: readonly [number, number, number, number];
  readonly volume: number;
}

/** A record of the schema `statistics`. */
export interface StubStatistic {
  readonly dataset: string;
  readonly symbol: string;
  /** ISO instant of its receipt. */
  readonly at: string;
  readonly type: number;
  readonly price: number | null;
  readonly isDeleted?: boolean;
}

export interface StubCall {
  readonly method: string;
  readonly form: Readonly<Record<string, string>>;
}

/** The answer instead of the data. */
export type StubFault =
  | { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> }
  | 'drop'
  | 'cut_line'
  | 'cut_frame'
  | 'header_only'
  | 'fewer_rows';

const KEY = 'db-0123456789abcdefghijklmnopqrs';
const FIELDS = new Set(
  'dataset schema start end symbols stype_in stype_out encoding compression pretty_px pretty_ts map_symbols limit index countries security_types allocate_isins start_date end_date'.split(
    ' ',
  ),
);
const GET_METHODS = [
  'metadata.get_dataset_range',
  'metadata.get_dataset_condition',
  'timeseries.get_range',
  'metadata.get_cost',
];
const SUMMARY = 'EQUS.SUMMARY';
const MEASURES = [
  'timeseries.get_range',
  'metadata.get_record_count',
  'metadata.get_cost',
  'metadata.get_billable_size',
];
const MAX_SYMBOLS = 2_000;

export class DatabentoServer {
  bars: readonly StubBar[] = [];
  /** Available range of the dataset; the end is exclusive. */
  range = { start: '2024-07-01', end: '2024-08-01' };
  /** Rows of the reference datasets; null: no subscription. */
  reference: { master: readonly object[] | null; factors: readonly object[] | null } = { master: null, factors: null };
  /** Rows of the history of the security master, which comes with it. */
  history: readonly object[] = [];
  minutes: readonly StubMinute[] = [];
  statistics: readonly StubStatistic[] = [];
  /** Available range of the datasets of venues. */
  venueRange = { start: '2018-05-01', end: '2024-08-01' };
  /** Days (YYYY-MM-DD) of the summary that are still prepared. */
  pending: readonly string[] = [];
  /** When days (YYYY-MM-DD) were last changed, if that was not on the day after. */
  changedOn: Readonly<Record<string, string>> = {};
  /** Whether text answers fill the symbol column. */
  mapsSymbols = true;
  costPerRow = 0;
  readonly calls: StubCall[] = [];
  /** Called before each call is served. */
  intercept: (call: StubCall) => StubFault | undefined = () => undefined;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  static async start(): Promise<DatabentoServer> {
    const stub = new DatabentoServer();
    stub.server.listen(0, '127.0.0.1');
    await once(stub.server, 'listening');
    return stub;
  }

  get settings(): DatabentoSettings {
    const port = portOf(this.server);
    return { baseUrl: `http://127.0.0.1:${port}`, apiKey: KEY, retryMs: 1, primarySessionFrom: null };
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(required(request.url), 'http://stub');
    const method = url.pathname.replace('/v0/', '');
    const body = await text(request);
    const form = Object.fromEntries(request.method === 'GET' ? url.searchParams : new URLSearchParams(body));
    const call = { method, form };
    this.calls.push(call);
    response.setHeader('request-id', randomUUID());
    const refuse = (status: number, name: string, message: string, payload: object = {}): void => {
      const detail = { case: name, message, status_code: status, docs: 'https://databento.com/docs', payload };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ detail }));
    };
    if (request.headers.authorization !== `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`) {
      return refuse(401, 'auth_authentication_failed', 'Authentication failed.');
    }
    if (request.method === 'GET' && !GET_METHODS.includes(method)) {
      response.writeHead(405).end('{"detail":"Method Not Allowed"}');
      return;
    }
    const unknown = Object.keys(form).find((name) => !FIELDS.has(name));
    if (unknown) return refuse(422, 'unsupported_parameter', `Unknown parameter ${unknown}`);
    if ((form.symbols ?? '').split(',').length > MAX_SYMBOLS)
      return refuse(422, 'symbology_invalid_request', 'Too many symbols');
    const fault = this.intercept(call);
    if (fault === 'drop') return void request.socket.destroy();
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    this.serve(call, response, refuse, fault);
  }

  private serve(
    { method, form }: StubCall,
    response: ServerResponse,
    refuse: (status: number, name: string, message: string, payload?: object) => void,
    fault: StubFault | undefined,
  ): void {
    const json = (value: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const range = form.dataset === SUMMARY ? this.range : this.venueRange;
    const available = { start: `${range.start}T00:00:00.000000000Z`, end: `${range.end}T00:00:00.000000000Z` };
    if (method === 'metadata.get_dataset_range') {
      const schema = { 'ohlcv-1d': available, 'ohlcv-1m': available, statistics: available, definition: available };
      return void json({ ...available, schema });
    }
    if (method === 'metadata.get_dataset_condition') return void json(this.conditions(form, range));
    const reference = this.referenceRows(method);
    if (reference !== undefined) {
      if (reference === null) {
        const payload = { reference_dataset: method };
        return void refuse(403, 'license_reference_dataset_no_subscription', 'No subscription', payload);
      }
      const rows = reference.map((row) => JSON.stringify(row));
      return void this.send(response, rows, form.compression, fault);
    }
    if (!MEASURES.includes(method)) return void refuse(404, 'not_found', `There is no ${method}`);
    if (form.end > `${range.end}T` || form.start < range.start) {
      const name = form.end > `${range.end}T` ? 'data_end_after_available_end' : 'data_start_before_available_start';
      return void refuse(422, name, `The dataset ${form.dataset} has data available up to '${range.end}'.`, {
        dataset: form.dataset,
        start: form.start,
        end: form.end,
        available_start: available.start,
        available_end: available.end,
      });
    }
    const lines = this.linesOf(form);
    const records = lines.length - 1;
    if (method === 'metadata.get_record_count') return void json(records);
    if (method === 'metadata.get_cost') return void json(records * this.costPerRow);
    if (method === 'metadata.get_billable_size') return void json(records * 56);
    const sent = fault === 'header_only' ? lines.slice(0, 1) : fault === 'fewer_rows' ? lines.slice(0, -1) : lines;
    this.send(response, sent, form.compression, fault);
  }

  /** The days of a dataset, newest first: clients must not rely on an order. */
  private conditions(form: Readonly<Record<string, string>>, range: { start: string; end: string }): object[] {
    const [first, last] = [form.start_date, form.end_date].map(requireDay);
    return sessionsBetween(first, last)
      .map(formatDay)
      .filter((date) => date >= range.start && date < range.end)
      .map((date) => {
        const isPending = this.pending.includes(date);
        const changedOn = this.changedOn[date] ?? formatDay(requireDay(date) + 1);
        return {
          date,
          condition: isPending ? 'pending' : 'available',
          last_modified_date: isPending ? null : changedOn,
        };
      })
      .reverse();
  }

  /** Null: not subscribed; undefined: another method. */
  private referenceRows(method: string): readonly object[] | null | undefined {
    const { master, factors } = this.reference;
    if (method === 'security_master.get_last') return master;
    if (method === 'security_master.get_range') return master && this.history;
    return method === 'adjustment_factors.get_range' ? factors : undefined;
  }

  /** The answer with its header. */
  private linesOf(form: Readonly<Record<string, string>>): string[] {
    const isWithin = (at: string) => Date.parse(at) >= Date.parse(form.start) && Date.parse(at) < Date.parse(form.end);
    const ofVenue = <T extends { readonly dataset: string; readonly at: string }>(records: readonly T[]) =>
      records.filter(({ dataset, at }) => dataset === form.dataset && isWithin(at));
    const bars = form.dataset === SUMMARY ? this.bars.filter(({ date }) => isWithin(date)) : [];
    switch (form.schema) {
      case 'ohlcv-1d':
        return this.barLines(bars, form);
      case 'ohlcv-1m':
        return this.minuteLines(ofVenue(this.minutes), form);
      case 'statistics':
        return this.statisticLines(ofVenue(this.statistics), form);
      default: {
        const traded = ofVenue(this.minutes).map(({ symbol, at }) => ({ symbol, date: at.slice(0, 10) }));
        return this.definitions(form.dataset === SUMMARY ? bars : traded);
      }
    }
  }

  private idOf(symbol: string, date: string): number {
    // Only unique within a day.
    return [...symbol, ...date].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 99_991, 7);
  }

  private barLines(bars: readonly StubBar[], form: Readonly<Record<string, string>>): string[] {
    return this.candleLines(
      bars.map((bar) => ({ ...bar, at: `${bar.date}T00:00:00Z`, type: 35 })),
      form,
    );
  }

  private minuteLines(minutes: readonly StubMinute[], form: Readonly<Record<string, string>>): string[] {
    return this.candleLines(
      minutes.map((minute) => ({ ...minute, type: 33 })),
      form,
    );
  }

  private candleLines(
    candles: readonly (Pick<StubBar, 'symbol' | 'prices' | 'volume'> & {
      readonly at: string;
      readonly type: number;
    })[],
    form: Readonly<Record<string, string>>,
  ): string[] {
    const withSymbol = form.map_symbols === 'true';
    const price = (value: number) => (form.pretty_px === 'true' ? value.toFixed(9) : `${Math.round(value * 1e4)}00000`);
    const rows = candles.map(({ symbol, at, type, prices, volume }) => {
      const ts = form.pretty_ts === 'true' ? at.replace('Z', '.000000000Z') : `${Date.parse(at)}000000`;
      const figures = prices ? prices.map(price) : ['', '', '', ''];
      const row = [ts, type, 90, this.idOf(symbol, at.slice(0, 10)), ...figures, volume];
      return [...row, ...(withSymbol ? [this.mapsSymbols ? symbol : ''] : [])].join(',');
    });
    const unordered = rows.map((row, i) => ({ row, key: (i * 7919) % 101 })).sort((a, b) => a.key - b.key);
    const header = 'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume';
    return [withSymbol ? `${header},symbol` : header, ...unordered.map(({ row }) => row)];
  }

  private statisticLines(statistics: readonly StubStatistic[], form: Readonly<Record<string, string>>): string[] {
    const rows = statistics.map(({ symbol, at, type, price, isDeleted }) => {
      const ts = at.replace('Z', '.000000000Z');
      const id = this.idOf(symbol, at.slice(0, 10));
      const figures = [price === null ? '' : price.toFixed(9), '9223372036854775807', 1, 0, type, 0];
      return [ts, ts, 24, 90, id, ts, ...figures, isDeleted ? 2 : 1, 0, this.mapsSymbols ? symbol : ''].join(',');
    });
    const header =
      'ts_recv,ts_event,rtype,publisher_id,instrument_id,ts_ref,price,quantity,sequence,ts_in_delta,stat_type,channel_id,update_action,stat_flags,symbol';
    return [form.map_symbols === 'true' ? header : header.replace(',symbol', ''), ...rows];
  }

  private definitions(bars: readonly Pick<StubBar, 'symbol' | 'date'>[]): string[] {
    return [
      'ts_recv,ts_event,rtype,publisher_id,instrument_id,raw_symbol,security_update_action,instrument_class,currency,exchange,min_lot_size_round_lot,symbol',
      ...bars.map(({ symbol, date }) => {
        const ts = `${date}T09:00:00.000000000Z`;
        return [ts, ts, 19, 90, this.idOf(symbol, date), symbol, 'A', 'K', 'USD', 'XNAS', 100, symbol].join(',');
      }),
    ];
  }

  /** In two frames, as long streams come; broken where the fault says so. */
  private send(
    response: ServerResponse,
    lines: readonly string[],
    compression: string | undefined,
    fault: StubFault | undefined,
  ): void {
    const whole = lines.map((line) => `${line}\n`).join('');
    const half = Math.ceil(whole.length / 2);
    const content = fault === 'cut_line' ? whole.slice(0, -5) : whole;
    const frames = [content.slice(0, half), content.slice(half)].filter((part) => part !== '');
    const body =
      compression === 'zstd' ? Buffer.concat(frames.map((part) => zstdCompressSync(part))) : Buffer.from(content);
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'x-warning': '["DeprecationWarning: none"]',
    });
    response.end(fault === 'cut_frame' ? body.subarray(0, -3) : body);
  }
}
