/** An Apache Parquet file that is written one row group at a time, so that memory holds one group. */
import { constants, zstdCompressSync } from 'node:zlib';
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer';

/** Values of a row group. Days are days since 1970-01-01; null is an absent value of an optional column. */
export type ColumnData = ColumnSource['data'];

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

const zstd = (level: number) => (bytes: Uint8Array) =>
  new Uint8Array(zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } }));

function elementOf({ name, type, isOptional = false }: ParquetColumn): SchemaElement {
  return { name, ...TYPES[type], repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED' };
}

export class ParquetFile {
  private readonly writer = new ByteWriter();
  private readonly file: ParquetWriter;
  private readonly columns: readonly ParquetColumn[];

  /** A higher `level` of compression takes more time for fewer bytes. */
  constructor(name: string, columns: readonly ParquetColumn[], level = ZSTD_LEVEL) {
    this.columns = columns;
    this.file = new ParquetWriter({
      writer: this.writer,
      schema: [{ name, num_children: columns.length }, ...columns.map(elementOf)],
      codec: 'ZSTD',
      compressors: { ZSTD: zstd(level) },
      createdBy: 'market-data',
    });
  }

  /** Adds a row group, with the values of each column in the order of the columns. Returns the bytes that it adds to the file. */
  group(data: readonly ColumnData[], rows: number): Buffer {
    const columnData = this.columns.map(({ name, isDelta }, i): ColumnSource => {
      return { name, data: data[i], encoding: isDelta ? 'DELTA_BINARY_PACKED' : undefined };
    });
    this.file.write({ rowGroupSize: rows, columnData });
    return this.taken();
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
