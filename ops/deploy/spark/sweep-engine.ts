/**
 * The engine of sweeps as a program of one file, for machines without this project: `plan` checks a request (JSON in, JSON out), and
 * `cells PLAN [OTHERS]` computes the cells of instruments (an Arrow stream of their rows in, one of cells out). PLAN is the answer of
 * `plan`, OTHERS the rows of the instruments that rules name. It ends with 2 and one line when its input is wrong.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  type DataType,
  DateDay,
  Field,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { errorBody } from '../../../api/http/errors/error-body.ts';
import { MS_PER_DAY } from '../../../engine/market/dates.ts';
import { EMPTY_SERIES } from '../../../engine/market/series.ts';
import { OtherInstruments } from '../../../engine/rules/other-instruments.ts';
import { CellBlock, fillInstrument } from '../../../engine/sweep/cells.ts';
import { ServiceError } from '../../../engine/util/errors.ts';
import { lastReadDay, type SweepInstrument } from '../../../jobs/contracts/sweep.ts';
import type { ColumnData, ParquetColumn } from '../../../jobs/parquet/parquet-file.ts';
import type { History } from '../../../jobs/runs/history.ts';
import { CELL_FILE_COLUMNS, cellData } from '../../../jobs/sweep/cell-rows.ts';
import { combinationsOf, runsOf } from '../../../jobs/sweep/stored-sweep.ts';
import { type NamedHistory, readHistories } from './histories.ts';
import { InputError } from './input-error.ts';
import { type Plan, planOf, planSchema } from './plan.ts';

/** A batch ends with the instrument that reaches so many rows. */
const BATCH_ROWS = 4_096;
const NO_HISTORY: History = { series: EMPTY_SERIES, events: [] };

const TYPES: Partial<Record<ParquetColumn['type'], () => DataType>> = {
  text: () => new Utf8(),
  date: () => new DateDay(),
  int32: () => new Int32(),
  double: () => new Float64(),
};

const SCHEMA = new Schema(
  CELL_FILE_COLUMNS.map(({ name, type, isOptional = false }) => {
    const typeOf = TYPES[type];
    if (!typeOf) throw new TypeError(`cells have no columns of the type ${type}`);
    return new Field(name, typeOf(), isOptional);
  }),
);

/** The cells of all instruments of `histories`. `others`: histories of the instruments that rules name, by symbol. */
export async function* cellBatches(
  { sweep, instruments, others: named }: Plan,
  others: ReadonlyMap<string, History>,
  histories: AsyncIterable<NamedHistory>,
): AsyncGenerator<RecordBatch> {
  const otherOf = (instrumentId: number) => {
    const other = named.find((one) => one.instrumentId === instrumentId);
    return other === undefined ? NO_HISTORY : listed(others.get(other.symbol) ?? NO_HISTORY, other);
  };
  const ofRuns = sweep.runs.map(({ others: tickers }) => {
    const known = tickers?.map(({ ticker, instrumentId }) => [ticker, otherOf(instrumentId)] as const);
    return known && new OtherInstruments(new Map(known), sweep.adjust);
  });
  const runs = runsOf(sweep, ofRuns);
  const combinations = combinationsOf({ runs });
  const members = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
  let pending: ColumnData[][] = [];
  for await (const { symbol, history } of histories) {
    const member = members.get(symbol);
    if (!member) throw new InputError(`${symbol} is no instrument of the sweep`);
    const block = new CellBlock(1, combinations.length);
    fillInstrument(
      block,
      0,
      sweep,
      { ...listed(history, member), asOf: sweep.asOf, lifetime: lifetimeOf(member) },
      runs,
    );
    pending.push(cellData(block, [member], combinations));
    if (pending.length * combinations.length < BATCH_ROWS) continue;
    yield batchOf(pending);
    pending = [];
  }
  // A stream begins with a batch, which may be empty.
  yield batchOf(pending);
}

/** With the day that its age counts from. */
function listed({ series, events }: History, { listedOn }: Pick<SweepInstrument, 'listedOn'>): History {
  return { series: { ...series, listedOn: listedOn ?? undefined }, events };
}

const lifetimeOf = ({ listedOn, delistedOn }: SweepInstrument) => ({ listedOn, delistedOn });

function batchOf(parts: readonly (readonly ColumnData[])[]): RecordBatch {
  if (parts.length === 0) return new RecordBatch(SCHEMA);
  const columns = SCHEMA.fields.map(({ type }, column) => {
    const values = parts.flatMap((part) => Array.from<unknown>(part[column]));
    return vectorFromArray(type instanceof DateDay ? values.map(timeOf) : values, type).data[0];
  });
  const [{ length }] = columns;
  return new RecordBatch(SCHEMA, makeData({ type: new Struct(SCHEMA.fields), length, children: columns }));
}

/** The library takes dates in milliseconds. */
const timeOf = (day: unknown) => (typeof day === 'number' ? day * MS_PER_DAY : null);

async function plan(): Promise<void> {
  process.stdout.write(JSON.stringify(planOf(JSON.parse(await text(process.stdin)))));
}

async function cells(planFile: string, othersFile: string | undefined): Promise<void> {
  const plan = planSchema.parse(JSON.parse(readFileSync(planFile, 'utf8')));
  const others = await readOthers(plan, othersFile);
  const histories = readHistories(process.stdin, lastReadDay(plan.sweep));
  const writer = new RecordBatchStreamWriter();
  // The output is a pipe, which holds the program back while its reader is slower.
  const written = pipeline(Readable.from(writer), process.stdout);
  await writer.writeAll(cellBatches(plan, others, histories));
  await written;
}

async function readOthers({ sweep }: Plan, file: string | undefined): Promise<Map<string, History>> {
  const others = new Map<string, History>();
  if (file === undefined) return others;
  for await (const { symbol, history } of readHistories(createReadStream(file), lastReadDay(sweep)))
    others.set(symbol, history);
  return others;
}

async function main([command, planFile, othersFile]: readonly string[]): Promise<void> {
  if (command === 'plan') return plan();
  if (command === 'cells' && planFile !== undefined) return cells(planFile, othersFile);
  throw new InputError('usage: plan | cells PLAN [OTHERS]');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof ServiceError) return end(2, errorBody(error, 'en').message);
  if (error instanceof InputError) return end(2, error.message);
  end(1, error instanceof Error ? (error.stack ?? error.message) : String(error));
});

function end(code: number, message: string): void {
  process.exitCode = code;
  process.stderr.write(`${message}\n`);
}
