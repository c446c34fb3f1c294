/** Rows in columns as a stream of Arrow, for callers that accept it in place of JSON. */
import type { Data, RecordBatch } from 'apache-arrow';
import { FileStream } from './reply.ts';

export const ARROW_STREAM = 'application/vnd.apache.arrow.stream';

/** Values of a column: numbers, whole numbers as such, days since 1970-01-01, or texts; one text is that of all rows. */
export type ArrowColumn =
  | { readonly type: 'number' | 'integer'; readonly values: Float64Array }
  | { readonly type: 'day'; readonly values: Int32Array }
  | { readonly type: 'text'; readonly values: string | readonly string[] };

/** Some rows, by the names of their columns. */
export interface ArrowRows {
  readonly length: number;
  readonly columns: Readonly<Record<string, ArrowColumn>>;
}

/** Ends a stream; the bytes of one begin with those of its schema. */
const END_BYTES = 8;

/** Batches of rows with the same columns, each made when the client is ready for it. `metadata` is that of the schema. */
export function arrowFile(
  name: string,
  rows: AsyncIterable<ArrowRows> | Iterable<ArrowRows>,
  metadata: Readonly<Record<string, string>> = {},
): FileStream {
  async function* pieces(): AsyncGenerator<Buffer> {
    // With Arrow, which is 150 files that a start does not need.
    const arrow = await import('apache-arrow');
    const bytesOf = (batches: RecordBatch[], schema = batches[0].schema) =>
      Buffer.from(arrow.tableToIPC(new arrow.Table(schema, batches), 'stream'));
    let schemaBytes = 0;
    let end = Buffer.alloc(0);
    for await (const one of rows) {
      const batch = await batchOf(one, metadata);
      const bytes = bytesOf([batch]);
      yield bytes.subarray(schemaBytes, -END_BYTES);
      schemaBytes ||= bytesOf([], batch.schema).length - END_BYTES;
      end = bytes.subarray(-END_BYTES);
    }
    yield end;
  }
  return new FileStream(`${name}.arrow`, ARROW_STREAM, { [Symbol.asyncIterator]: pieces });
}

async function batchOf({ length, columns }: ArrowRows, metadata: Readonly<Record<string, string>>) {
  const { Field, makeData, RecordBatch, Schema, Struct } = await import('apache-arrow');
  const data = await Promise.all(
    Object.entries(columns).map(async ([name, column]) => [name, await dataOf(column, length)] as const),
  );
  const fields = data.map(([name, { type }]) => new Field(name, type, false));
  const schema = new Schema(fields, new Map(Object.entries(metadata)));
  const children = data.map(([, column]) => column);
  return new RecordBatch(schema, makeData({ type: new Struct(fields), length, nullCount: 0, children }));
}

async function dataOf(column: ArrowColumn, length: number): Promise<Data> {
  const { DateDay, Float64, Int64, makeData, Utf8 } = await import('apache-arrow');
  switch (column.type) {
    case 'number':
      return makeData({ type: new Float64(), length, data: column.values });
    case 'integer':
      return makeData({ type: new Int64(), length, data: BigInt64Array.from(column.values, BigInt) });
    case 'day':
      return makeData({ type: new DateDay(), length, data: column.values });
    case 'text': {
      const { values } = column;
      const isOne = typeof values === 'string';
      const texts = isOne
        ? new Array<Buffer>(length).fill(Buffer.from(values))
        : values.map((text) => Buffer.from(text));
      const valueOffsets = new Int32Array(length + 1);
      texts.forEach((text, i) => {
        valueOffsets[i + 1] = valueOffsets[i] + text.length;
      });
      return makeData({ type: new Utf8(), length, valueOffsets, data: Buffer.concat(texts) });
    }
  }
}
