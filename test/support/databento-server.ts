/**
 * A local server for Databento's historical API. It checks the key and every form field, respects its date range, sends
 * rows unordered and compressed as requested, and can fail in every way that the vendor does.
 */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { zstdCompressSync } from 'node:zlib';
import { portOf } from '../../api/http/server/port-of.ts';
import { present } from '../../engine/present.ts';
import type { DatabentoSettings } from '../../jobs/providers/databento/client.ts';

export interface StubBar {
  readonly symbol: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly prices: readonly [number, number, number, number] | null;
  readonly volume: number;
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
  'dataset schema start end symbols stype_in stype_out encoding compression pretty_px pretty_ts map_symbols limit countries security_types allocate_isins'.split(
    ' ',
  ),
);
const GET_METHODS = [
  'metadata.get_dataset_range',
  'metadata.get_dataset_condition',
  'timeseries.get_range',
  'metadata.get_cost',
];
const MAX_SYMBOLS = 2_000;

export class DatabentoServer {
  bars: readonly StubBar[] = [];
  /** Available range of the dataset; the end is exclusive. */
  range = { start: '2024-07-01', end: '2024-08-01' };
  /** Rows of the reference datasets; null: no subscription. */
  reference: { master: readonly object[] | null; factors: readonly object[] | null } = { master: null, factors: null };
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
    const url = new URL(present(request.url), 'http://stub');
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
    const available = {
      start: `${this.range.start}T00:00:00.000000000Z`,
      end: `${this.range.end}T00:00:00.000000000Z`,
    };
    if (method === 'metadata.get_dataset_range') {
      return void json({ ...available, schema: { 'ohlcv-1d': available, definition: available } });
    }
    if (method === 'security_master.get_last' || method === 'adjustment_factors.get_range') {
      const rows = method === 'security_master.get_last' ? this.reference.master : this.reference.factors;
      if (!rows) {
        return void refuse(403, 'license_reference_dataset_no_subscription', 'No subscription', {
          reference_dataset: method,
        });
      }
      return void this.send(
        response,
        rows.map((row) => JSON.stringify(row)),
        form.compression,
        fault,
      );
    }
    if (!['timeseries.get_range', 'metadata.get_record_count', 'metadata.get_cost'].includes(method)) {
      return void refuse(404, 'not_found', `There is no ${method}`);
    }
    if (form.end > this.range.end || form.start < this.range.start) {
      const name = form.end > this.range.end ? 'data_end_after_available_end' : 'data_start_before_available_start';
      return void refuse(422, name, `The dataset ${form.dataset} has data available up to '${this.range.end}'.`, {
        dataset: form.dataset,
        start: form.start,
        end: form.end,
        available_start: available.start,
        available_end: available.end,
      });
    }
    const bars = this.bars.filter(({ date }) => date >= form.start && date < form.end);
    if (method === 'metadata.get_record_count') return void json(bars.length);
    if (method === 'metadata.get_cost') return void json(bars.length * this.costPerRow);
    const lines = form.schema === 'definition' ? this.definitions(bars) : this.barLines(bars, form);
    this.send(
      response,
      fault === 'header_only' ? lines.slice(0, 1) : fault === 'fewer_rows' ? lines.slice(0, -1) : lines,
      form.compression,
      fault,
    );
  }

  private idOf(symbol: string, date: string): number {
    // Only unique within a day.
    return [...symbol, ...date].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 99_991, 7);
  }

  private barLines(bars: readonly StubBar[], form: Readonly<Record<string, string>>): string[] {
    const withSymbol = form.map_symbols === 'true';
    const price = (value: number) => (form.pretty_px === 'true' ? value.toFixed(9) : `${Math.round(value * 1e4)}00000`);
    const rows = bars.map(({ symbol, date, prices, volume }) => {
      const ts = form.pretty_ts === 'true' ? `${date}T00:00:00.000000000Z` : `${Date.parse(date)}000000`;
      const figures = prices ? prices.map(price) : ['', '', '', ''];
      const row = [ts, 35, 90, this.idOf(symbol, date), ...figures, volume];
      return [...row, ...(withSymbol ? [this.mapsSymbols ? symbol : ''] : [])].join(',');
    });
    const unordered = rows.map((row, i) => ({ row, key: (i * 7919) % 101 })).sort((a, b) => a.key - b.key);
    const header = 'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume';
    return [withSymbol ? `${header},symbol` : header, ...unordered.map(({ row }) => row)];
  }

  private definitions(bars: readonly StubBar[]): string[] {
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
