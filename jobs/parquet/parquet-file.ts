/** An Apache Parquet file that is written one row group at a time, so that memory holds one group. */
import { constants, zstdCompressSync } from 'node:zlib';
import { type ColumnChunk, parquetMetadata, type RowGroup } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { Compress } from './data-page.ts';
import { writeDoubles } from './double-page.ts';
import { type Repeated, writeRepeated } from './repeated-page.ts';

/** Values of a row group. Days are days since 1970-01-01; null is an absent value of an optional column. */
export type ColumnData = ColumnSource['data'];

/** Values of a row group that are encoded without a look at each: those of a text, a date, or an `int32`, or doubles with NaN for absent ones. */
export type TypedColumn = Repeated | Float64Array;

const TYPES = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  date: { type: 'INT32', converted_type: 'DATE' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
} as const satisfies Record<string, Partial<SchemaElement>>;

export interface ParquetColumn {
  readonly name: string;
  readonly type: keyof typeof TYPES;
  readonly isOptional?: boolean;
  /** Stores integers as differences, which suits those of one magnitude. */
  readonly isDelta?: boolean;
}

const ZSTD_LEVEL = 3;

/** Compresses into a buffer that nothing else uses: one of this size is not a part of Node's pool, and has room for all but random bytes. */
const zstd =
  (level: number): Compress =>
  (bytes) =>
    zstdCompressSync(bytes, {
      params: { [constants.ZSTD_c_compressionLevel]: level },
      chunkSize: Math.max(Buffer.poolSize, bytes.length),
    });

function elementOf({ name, type, isOptional = false }: ParquetColumn): SchemaElement {
  return { name, ...TYPES[type], repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED' };
}

/** Length of the mark at the beginning of a file. */
const MARK_BYTES = 4;

interface FileOptions {
  /** A higher one takes more time for fewer bytes. */
  readonly level?: number;
  /** Metadata of the file as a whole. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export class ParquetFile {
  private readonly writer = new ByteWriter();
  private readonly file: ParquetWriter;
  private readonly columns: readonly ParquetColumn[];
  private readonly compress: Compress;

  constructor(
    name: string,
    columns: readonly ParquetColumn[],
    { level = ZSTD_LEVEL, metadata = {} }: FileOptions = {},
  ) {
    this.columns = columns;
    this.compress = zstd(level);
    this.file = new ParquetWriter({
      writer: this.writer,
      schema: [{ name, num_children: columns.length }, ...columns.map(elementOf)],
      codec: 'ZSTD',
      compressors: { ZSTD: this.compress },
      createdBy: 'market-data',
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    });
  }

  /** Adds a row group, with the values of each column in the order of the columns. Returns the bytes that it adds to the file. */
  group(data: readonly ColumnData[], rows: number): Buffer {
    const columnData = data.map((values, i): ColumnSource => {
      const { name, isDelta } = this.columns[i];
      return { name, data: values, encoding: isDelta ? 'DELTA_BINARY_PACKED' : undefined };
    });
    this.file.write({ rowGroupSize: rows, columnData });
    return this.taken();
  }

  /** Adds a row group as `group` does. */
  typedGroup(data: readonly TypedColumn[], rows: number): Buffer {
    const columns = data.map((values, i) => this.writeTyped(this.columns[i], values));
    const sumOf = (size: 'total_compressed_size' | 'total_uncompressed_size') =>
      columns.reduce((sum, { meta_data: meta }) => sum + meta[size], 0n);
    this.file.num_rows += BigInt(rows);
    this.file.row_groups.push({
      columns,
      total_byte_size: sumOf('total_uncompressed_size'),
      num_rows: BigInt(rows),
      total_compressed_size: sumOf('total_compressed_size'),
    });
    return this.taken();
  }

  private writeTyped(column: ParquetColumn, values: TypedColumn) {
    if (!(values instanceof Float64Array)) return writeRepeated(this.writer, elementOf(column), values, this.compress);
    return writeDoubles(this.writer, { name: column.name, values }, this.compress);
  }

  /**
   * Adds the row groups of a whole file with the same columns, as they are encoded there. Returns the bytes that it adds to this one;
   * those of the row groups are a view of `file`.
   */
  append(file: Buffer): Buffer[] {
    const groups = parquetMetadata(file).row_groups;
    const shift = BigInt(this.writer.offset - MARK_BYTES);
    let end = MARK_BYTES;
    for (const group of groups) {
      end = Math.max(end, ...group.columns.map(endOf));
      this.file.row_groups.push(shifted(group, shift));
      this.file.num_rows += group.num_rows;
    }
    this.writer.offset += end - MARK_BYTES;
    return [this.taken(), file.subarray(MARK_BYTES, end)].filter(({ length }) => length > 0);
  }

  /** The end of the file. */
  finish(): Buffer {
    this.file.finish();
    return this.taken();
  }

  private taken(): Buffer {
    const bytes = Buffer.from(this.writer.getBytes().slice().buffer);
    this.writer.index = 0;
    return bytes;
  }
}

/** The offset of the first byte after a column. */
function endOf({ meta_data: meta }: ColumnChunk): number {
  if (meta === undefined) throw new Error('a column without metadata');
  return Number((meta.dictionary_page_offset ?? meta.data_page_offset) + meta.total_compressed_size);
}

/** The row group at another place of a file, without the indexes of its pages, which stay where they were. */
function shifted(group: RowGroup, by: bigint): RowGroup {
  const columns = group.columns.map(({ file_offset, meta_data: meta }): ColumnChunk => {
    if (meta === undefined) throw new Error('a column without metadata');
    const dictionary = meta.dictionary_page_offset;
    return {
      file_offset: file_offset + by,
      meta_data: {
        ...meta,
        data_page_offset: meta.data_page_offset + by,
        dictionary_page_offset: dictionary === undefined ? undefined : dictionary + by,
      },
    };
  });
  return { ...group, columns };
}
