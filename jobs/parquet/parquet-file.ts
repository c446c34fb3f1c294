/** An Apache Parquet file that is written one row group at a time, so that memory holds one group. */
import { constants, zstdCompressSync } from 'node:zlib';
import { type ColumnChunk, parquetMetadata, type RowGroup } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { present } from '../../engine/present.ts';
import { type Doubles, writeDoubles } from './double-page.ts';

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

/** Length of the mark at the beginning of a file. */
const MARK_BYTES = 4;

export class ParquetFile {
  private readonly writer = new ByteWriter();
  private readonly file: ParquetWriter;
  private readonly columns: readonly ParquetColumn[];
  private readonly compress: (bytes: Uint8Array) => Uint8Array;

  /** A higher `level` of compression takes more time for fewer bytes. */
  constructor(name: string, columns: readonly ParquetColumn[], level = ZSTD_LEVEL) {
    this.columns = columns;
    this.compress = zstd(level);
    this.file = new ParquetWriter({
      writer: this.writer,
      schema: [{ name, num_children: columns.length }, ...columns.map(elementOf)],
      codec: 'ZSTD',
      compressors: { ZSTD: this.compress },
      createdBy: 'market-data',
    });
  }

  /**
   * Adds a row group, with the values of each column in the order of the columns; those of the last columns may be `doubles`. Returns
   * the bytes that it adds to the file.
   */
  group(data: readonly ColumnData[], rows: number, doubles: readonly Float64Array[] = []): Buffer {
    const columnData = data.map((values, i): ColumnSource => {
      const { name, isDelta } = this.columns[i];
      return { name, data: values, encoding: isDelta ? 'DELTA_BINARY_PACKED' : undefined };
    });
    this.file.write({ rowGroupSize: rows, columnData });
    for (const [i, values] of doubles.entries()) this.addDoubles({ name: this.columns[data.length + i].name, values });
    return this.taken();
  }

  /** Adds a column to the last row group. */
  private addDoubles(doubles: Doubles): void {
    const chunk = writeDoubles(this.writer, doubles, this.compress);
    const group = present(this.file.row_groups.at(-1), 'a row group');
    group.columns.push(chunk);
    group.total_byte_size += chunk.meta_data.total_uncompressed_size;
    group.total_compressed_size = (group.total_compressed_size ?? 0n) + chunk.meta_data.total_compressed_size;
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
