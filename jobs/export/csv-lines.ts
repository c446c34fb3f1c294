/** The bars of an export, instrument by instrument, in one snapshot of the database, and their lines of CSV. */
import Papa from 'papaparse';
import { selectAdjustments } from '../../db/market/adjustments.ts';
import { selectSeriesSince, selectSplitAnchors } from '../../db/market/bars.ts';
import { type Instrument, selectInstruments } from '../../db/market/instruments.ts';
import type { Connection } from '../../db/pool.ts';
import { type Adjustment, adjustSeries, effectiveEvents, roundAdjusted } from '../../engine/market/adjust.ts';
import { civilDate, type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import { type BarSeries, sliceByDay } from '../../engine/market/series.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { EXPORT_COLUMNS, type ExportSpec } from '../contracts/export.ts';
import { PermanentFailure } from '../contracts/job-context.ts';

/** Instruments read at once; few, because the next chunk is in memory too. */
const CHUNK = 16;

export interface InstrumentBars {
  /** `<TICKER>.US` */
  readonly symbol: string;
  readonly bars: BarSeries;
}

/** Receives the share of instruments that have been read, from 0 to 1. */
export type Report = (share: number) => Promise<void>;

/** Bars in the order of symbols, then days, none newer than `through`. */
export async function* readMarket(
  connection: Connection,
  request: ExportSpec,
  through: Day,
  report: Report,
): AsyncGenerator<InstrumentBars[]> {
  const instruments = await chosenInstruments(connection, request);
  const events = request.adjust === 'none' ? new Map<number, Adjustment[]>() : await selectAdjustments(connection);
  const range = { start: requireDay(request.start), end: Math.min(requireDay(request.end), through) };
  const { year } = civilDate(range.start);
  const read = async (at: number) => {
    const ids = instruments.slice(at, at + CHUNK).map(({ id }) => id);
    if (ids.length === 0) return null;
    // Only instruments with events need an anchor.
    const adjustable = ids.filter((id) => events.has(id));
    return {
      series: await selectSeriesSince(connection, ids, request.venue_mode, year),
      anchors:
        adjustable.length > 0 ? await selectSplitAnchors(connection, adjustable, through) : new Map<number, Day>(),
    };
  };
  let next = read(0);
  for (let at = 0; at < instruments.length; at += CHUNK) {
    const chunk = await next;
    // Reads the next chunk ahead; the next iteration throws its error.
    next = read(at + CHUNK);
    next.catch(() => {});
    yield instruments.slice(at, at + CHUNK).flatMap(({ id, symbol }): InstrumentBars[] => {
      const all = chunk?.series.get(id);
      if (!all) return [];
      const anchor = chunk?.anchors.get(id);
      const mode = request.adjust === 'total' ? 'total' : 'split';
      const applied = anchor === undefined ? [] : effectiveEvents(events.get(id) ?? [], anchor, mode);
      const bars = adjusted(sliceByDay(all, range.start, range.end), applied);
      return bars.length > 0 ? [{ symbol: qualifiedSymbol(symbol), bars }] : [];
    });
    await report(Math.min(1, (at + CHUNK) / instruments.length));
  }
}

async function chosenInstruments(connection: Connection, { symbols, asset_type }: ExportSpec): Promise<Instrument[]> {
  const all = await selectInstruments(connection);
  const named = symbols && new Set(symbols);
  const known = new Set(all.map(({ symbol }) => symbol));
  const unknown = symbols?.filter((symbol) => !known.has(symbol)) ?? [];
  if (unknown.length > 0) throw new PermanentFailure(`unknown symbols: ${unknown.slice(0, 20).join(', ')}`);
  return all
    .filter(({ symbol, assetType }) => (named?.has(symbol) ?? true) && (asset_type ?? assetType) === assetType)
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}

/** Applies adjustments. Bars after the last one keep their exact values. */
function adjusted(bars: BarSeries, events: readonly Adjustment[]): BarSeries {
  return events.length > 0 ? roundAdjusted(adjustSeries(bars, events)) : bars;
}

/** A buffer is emitted when it has this many bytes. */
const FULL_BYTES = 256 * 1024;
/** More than any line needs. */
const LINE_BYTES = 1024;

const [COMMA, DOT, ZERO] = [',', '.', '0'].map((character) => character.charCodeAt(0));

export async function* csvLines(
  pieces: AsyncIterable<readonly InstrumentBars[]>,
  venueBasis: string,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${EXPORT_COLUMNS.join(',')}\n`);
  const end = Buffer.from(`,${cell(venueBasis)}\n`);
  let bytes = Buffer.allocUnsafe(FULL_BYTES + LINE_BYTES);
  let at = 0;
  for await (const piece of pieces) {
    for (const { symbol, bars } of piece) {
      const start = Buffer.from(cell(symbol));
      const { day, open, high, low, close, volume } = bars;
      for (let i = 0; i < bars.length; i++) {
        at = putBytes(bytes, at, start);
        at = putBytes(bytes, at, dayCell(day[i]));
        at = putDecimal(bytes, at, open[i]);
        bytes[at++] = COMMA;
        at = putDecimal(bytes, at, high[i]);
        bytes[at++] = COMMA;
        at = putDecimal(bytes, at, low[i]);
        bytes[at++] = COMMA;
        at = putDecimal(bytes, at, close[i]);
        bytes[at++] = COMMA;
        at = putDecimal(bytes, at, volume[i]);
        at = putBytes(bytes, at, end);
        if (at < FULL_BYTES) continue;
        yield bytes.subarray(0, at);
        bytes = Buffer.allocUnsafe(FULL_BYTES + LINE_BYTES);
        at = 0;
      }
    }
  }
  if (at > 0) yield bytes.subarray(0, at);
}

/** Text as a cell, escaped so that spreadsheets do not run it as a formula. */
function cell(text: string): string {
  return Papa.unparse([[text]], { escapeFormulae: true });
}

const dayCells = new Map<Day, Buffer>();

/** A day between commas. */
function dayCell(day: Day): Buffer {
  let bytes = dayCells.get(day);
  if (!bytes) {
    bytes = Buffer.from(`,${formatDay(day)},`);
    dayCells.set(day, bytes);
  }
  return bytes;
}

function putBytes(to: Buffer, at: number, from: Uint8Array): number {
  for (let i = 0; i < from.length; i++) to[at + i] = from[i];
  return at + from.length;
}

const DECIMALS = 4;
const SCALE = 10 ** DECIMALS;
/** A decimal of up to 15 digits that reads back as the same number is the shortest one. */
const MAX_SCALED = 1e15;

/** A number as JavaScript and PostgreSQL write it: the shortest decimal that reads back as the same number. */
function putDecimal(to: Buffer, at: number, value: number): number {
  const scaled = Math.round(value * SCALE);
  if (!(scaled >= 0 && scaled < MAX_SCALED && scaled / SCALE === value)) {
    return putBytes(to, at, Buffer.from(String(value)));
  }
  const whole = Math.floor(scaled / SCALE);
  let next = putInteger(to, at, whole);
  let fraction = scaled - whole * SCALE;
  if (fraction === 0) return next;
  to[next++] = DOT;
  let digits = DECIMALS;
  while (fraction % 10 === 0) {
    fraction /= 10;
    digits--;
  }
  return putDigits(to, next, fraction, digits);
}

const BILLION = 1e9;

function putInteger(to: Buffer, at: number, value: number): number {
  if (value < BILLION) return putDigits(to, at, value, digitsOf(value));
  const billions = Math.floor(value / BILLION);
  return putDigits(to, putInteger(to, at, billions), value - billions * BILLION, 9);
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let power = 10; value >= power; power *= 10) digits++;
  return digits;
}

/** `value` below a billion, with leading zeros. */
function putDigits(to: Buffer, at: number, value: number, digits: number): number {
  let rest = value | 0;
  for (let i = at + digits - 1; i >= at; i--) {
    const tenth = (rest / 10) | 0;
    to[i] = ZERO + (rest - tenth * 10);
    rest = tenth;
  }
  return at + digits;
}
