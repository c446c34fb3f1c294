/**
 * Histories from an Arrow stream of rows, ordered by symbol, part, and date. The part of a row says what it is: a bar of a venue basis,
 * an event, or only the name of an instrument, which may have neither: its factor is the return of its delisting, in percent.
 */
import { type RecordBatch, RecordBatchReader, type Vector } from 'apache-arrow';
import { z } from 'zod';
import { ADJUSTMENT_KINDS, type Adjustment } from '../../../engine/market/adjust.ts';
import { type Day, formatDay } from '../../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, joinSeries, VALUE_COLUMNS } from '../../../engine/market/series.ts';
import { spliceSeries } from '../../../engine/market/venue-basis.ts';
import { fromKeys } from '../../../engine/util/values.ts';
import type { History } from '../../../jobs/runs/history.ts';
import { InputError } from './input-error.ts';

export interface NamedHistory {
  /** `<TICKER>.US` */
  readonly symbol: string;
  readonly history: History;
}

const NUMBER_COLUMNS = [...VALUE_COLUMNS, 'factor'] as const;
const PARTS = ['instrument', 'event', 'primary_session', 'consolidated'] as const;
const rowSchema = z.object({ symbol: z.string(), part: z.enum(PARTS) });
const kindSchema = z.enum(ADJUSTMENT_KINDS);

/** The histories up to `end`, one in memory at a time. */
export async function* readHistories(input: AsyncIterable<Uint8Array>, end: Day): AsyncGenerator<NamedHistory> {
  let current: Rows | null = null;
  for await (const run of readRuns(input)) {
    const { symbol, part } = run;
    if (current?.symbol !== symbol) {
      if (current && symbol < current.symbol)
        throw new InputError(`the rows are not ordered by symbol: ${symbol} is after ${current.symbol}`);
      if (current) yield current.end(end);
      current = new Rows(symbol);
    }
    if (part === 'event') current.addEvents(run);
    else if (part !== 'instrument') current.addBars(part, run);
    else current.delistingReturnPct = run.columns.numbers.factor[run.from];
  }
  if (current) yield current.end(end);
}

/** Consecutive rows of one symbol and part. */
interface Run {
  readonly symbol: string;
  readonly part: (typeof PARTS)[number];
  readonly columns: Columns;
  /** Included. */
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

async function* readRuns(input: AsyncIterable<Uint8Array>): AsyncGenerator<Run> {
  for await (const batch of readBatches(input)) {
    const columns = columnsOf(batch);
    for (let from = 0; from < batch.numRows; ) {
      const to = runEnd(columns, from, batch.numRows);
      const names = parsed(rowSchema, { symbol: columns.symbol.get(from), part: columns.part.get(from) });
      yield { ...names, columns, from, to };
      from = to;
    }
  }
}

/** The last bytes of every whole stream. */
const END = Buffer.from('ffffffff00000000', 'hex');

async function* readBatches(input: AsyncIterable<Uint8Array>): AsyncGenerator<RecordBatch> {
  try {
    const reader = await RecordBatchReader.from(whole(input));
    await reader.open();
    if (!reader.schema) throw new Error('it has no schema');
    yield* reader;
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`the input is no whole Arrow stream: ${error instanceof Error ? error.message : error}`);
  }
}

/** The reader takes a stream that breaks off between two batches for a whole one. */
async function* whole(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let last = Buffer.alloc(0);
  for await (const piece of input) {
    last = Buffer.concat([last, piece.subarray(-END.length)]).subarray(-END.length);
    yield piece;
  }
  if (!last.equals(END)) throw new InputError('the input is no whole Arrow stream');
}

interface Columns {
  readonly symbol: Vector;
  readonly part: Vector;
  readonly kind: Vector;
  readonly date: Int32Array;
  readonly numbers: Readonly<Record<(typeof NUMBER_COLUMNS)[number], Float64Array>>;
}

function columnsOf(batch: RecordBatch): Columns {
  const column = (name: string) => {
    const found = batch.getChild(name);
    if (!found) throw new InputError(`the column ${name} is missing`);
    return found;
  };
  return {
    symbol: column('symbol'),
    part: column('part'),
    kind: column('kind'),
    date: valuesOf(column('date'), Int32Array, 'date'),
    numbers: fromKeys(NUMBER_COLUMNS, (name) => valuesOf(column(name), Float64Array, name)),
  };
}

function valuesOf<T extends Int32Array | Float64Array>(
  { data: [{ values }] }: Vector,
  type: { readonly name: string; new (): T },
  name: string,
): T {
  if (!(values instanceof type)) throw new InputError(`the column ${name} is no ${type.name}`);
  return values;
}

/** Where the rows of the same symbol and part end. A search reads few texts, which takes longer than numbers. */
function runEnd({ symbol, part }: Columns, from: number, rows: number): number {
  const [ofSymbol, ofPart] = [symbol.get(from), part.get(from)];
  let [low, high] = [from + 1, rows];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (symbol.get(middle) === ofSymbol && part.get(middle) === ofPart) low = middle + 1;
    else high = middle;
  }
  return low;
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value);
  if (error) throw new InputError(`a row has the values ${JSON.stringify(value)}`);
  return data;
}

type Basis = Exclude<(typeof PARTS)[number], 'instrument' | 'event'>;

/** The rows of one instrument. */
class Rows {
  readonly symbol: string;
  private readonly bars: Record<Basis, BarSeries[]> = { primary_session: [], consolidated: [] };
  private readonly events: Adjustment[] = [];
  /** 0: not known, or none. */
  delistingReturnPct = 0;

  constructor(symbol: string) {
    this.symbol = symbol;
  }

  addBars(basis: Basis, { columns: { date, numbers }, from, to }: Run): void {
    const piece = allocateSeries(to - from);
    piece.day.set(date.subarray(from, to));
    for (const column of VALUE_COLUMNS) piece[column].set(numbers[column].subarray(from, to));
    this.bars[basis].push(piece);
  }

  /** Rows of one day stay in their order: factors are multiplied in it. */
  addEvents({ columns: { date, kind, numbers }, from, to }: Run): void {
    for (let i = from; i < to; i++)
      this.events.push({ exDay: date[i], kind: parsed(kindSchema, kind.get(i)), factor: numbers.factor[i] });
  }

  end(last: Day): NamedHistory {
    const { symbol, bars, events } = this;
    const series = spliceSeries(this.joined(bars.primary_session), this.joined(bars.consolidated), last);
    const delisting = { returnPct: this.delistingReturnPct, venue: '' };
    return { symbol, history: { series: { ...series, delisting }, events } };
  }

  private joined(pieces: readonly BarSeries[]): BarSeries {
    const series = joinSeries(pieces);
    const { day } = series;
    const late = day.findIndex((one, i) => i > 0 && one <= day[i - 1]);
    if (late === -1) return series;
    throw new InputError(`the bars of ${this.symbol} are not ordered by date: ${formatDay(day[late])}`);
  }
}
