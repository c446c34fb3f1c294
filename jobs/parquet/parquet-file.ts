/** Writes an Apache Parquet file one row group at a time, with one group in memory. */
import { constants, zstdCompressSync } from 'node:zlib';
import { type ColumnChunk, parquetMetadata, type RowGroup } from 'hyparquet';
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
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
} as const satisfies Record<string, Partial<SchemaElement>>;

export interface ParquetColumn {
  readonly name: string;
  readonly type: keyof typeof TYPES;
  readonly isOptional?: boolean;
  /** Stores integers as differences, which saves space if they are of similar magnitude. */
  readonly isDelta?: boolean;
  /** Whether readers look rows up by it: it gets an index of its pages and a Bloom filter per row group. */
  readonly isLookedUp?: boolean;
  /** Names the column for readers of Iceberg tables. */
  readonly fieldId?: number;
}

/** By the constants of `node:zlib`. */
type ZstdParameters = Readonly<Record<number, number>>;

const ZSTD: ZstdParameters = { [constants.ZSTD_c_compressionLevel]: 3 };

/** Compresses in one piece: with the pieces of 16 KB that Node takes by default it takes half as long again. */
const compressorOf = (params: ZstdParameters) => (bytes: Uint8Array) =>
  zstdCompressSync(bytes, { params, chunkSize: Math.max(constants.Z_MIN_CHUNK, bytes.length) });

function elementOf({ name, type, isOptional = false, fieldId }: ParquetColumn): SchemaElement {
  return { name, ...TYPES[type], repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED', field_id: fieldId };
}

/** Length of the magic number at the beginning of a file. */
const MAGIC_BYTES = 4;

interface FileOptions {
  readonly zstd?: ZstdParameters;
  /** Metadata of the file as a whole. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Buffers the bytes of a file until `take`. */
class PieceWriter extends ByteWriter {
  /** Returns the bytes since the last call. */
  take(): Buffer {
    const bytes = Buffer.from(this.getBuffer());
    this.index = 0;
    return bytes;
  }

  /** Counts bytes of the file that are written elsewhere. */
  skip(bytes: number): void {
    this.offset += bytes;
  }
}

/** A writer that also accepts encoded row groups, and Bloom filters of columns that it has just written. */
class RowGroups extends ParquetWriter {
  add(group: RowGroup): void {
    this.row_groups.push(group);
    this.num_rows += group.num_rows;
  }

  /** `filters`: of each column of the last group; undefined: it gets none. */
  setFilters(filters: readonly BloomFilter[]): void {
    const written = this.pendingIndexes.slice(-filters.length);
    for (const [i, filter] of filters.entries()) written[i].bloomFilter = filter;
  }
}

type BloomFilter = ParquetWriter['pendingIndexes'][number]['bloomFilter'];

/** The filter over the distinct values: the writer hashes every row, which took a quarter of the time of a file. */
function filterOf(column: ParquetColumn, values: ColumnData): BloomFilter {
  const schema = [{ name: '', num_children: 1 }, elementOf(column)];
  const writer = new ParquetWriter({ writer: new ByteWriter(), schema });
  const data = [...new Set<unknown>(values)];
  writer.write({ columnData: [{ name: column.name, data, bloomFilter: true }] });
  return writer.pendingIndexes[0].bloomFilter;
}

export class ParquetFile {
  private readonly pieces = new PieceWriter();
  private readonly groups: RowGroups;
  private readonly columns: readonly ParquetColumn[];

  constructor(name: string, columns: readonly ParquetColumn[], { zstd = ZSTD, metadata = {} }: FileOptions = {}) {
    const entries = Object.entries(metadata).map(([key, value]) => ({ key, value }));
    this.columns = columns;
    this.groups = new RowGroups({
      writer: this.pieces,
      schema: [{ name, num_children: columns.length }, ...columns.map(elementOf)],
      codec: 'ZSTD',
      compressors: { ZSTD: compressorOf(zstd) },
      createdBy: 'market-data',
      // An empty list has no type, which strict readers refuse.
      kvMetadata: entries.length === 0 ? undefined : entries,
    });
  }

  /** Adds a row group: an array of values for each column. Returns the bytes that it adds to the file. */
  group(data: readonly ColumnData[], rows: number): Buffer {
    const columnData = data.map((values, i): ColumnSource => {
      const { name, isDelta, isLookedUp = false } = this.columns[i];
      const encoding = isDelta ? 'DELTA_BINARY_PACKED' : undefined;
      return { name, data: values, encoding, columnIndex: isLookedUp };
    });
    this.groups.write({ rowGroupSize: rows, columnData });
    this.groups.setFilters(
      data.map((values, i) => (this.columns[i].isLookedUp ? filterOf(this.columns[i], values) : undefined)),
    );
    return this.pieces.take();
  }

  /**
   * Adds the encoded row groups of another file with the same columns. Returns the bytes that it adds to this file; those of the row
   * groups are a view of `file`.
   */
  append(file: Buffer): Buffer[] {
    const groups = parquetMetadata(file).row_groups;
    const shift = BigInt(this.pieces.offset - MAGIC_BYTES);
    let end = MAGIC_BYTES;
    for (const group of groups) {
      end = Math.max(end, ...group.columns.map(endOf));
      this.groups.add(shifted(group, shift));
    }
    this.pieces.skip(end - MAGIC_BYTES);
    return [this.pieces.take(), file.subarray(MAGIC_BYTES, end)].filter(({ length }) => length > 0);
  }

  /** Returns the last bytes of the file. */
  finish(): Buffer {
    this.groups.finish();
    return this.pieces.take();
  }
}

/** The offset of the first byte after a column. */
function endOf({ meta_data: meta }: ColumnChunk): number {
  if (meta === undefined) throw new Error('a column has no metadata');
  return Number((meta.dictionary_page_offset ?? meta.data_page_offset) + meta.total_compressed_size);
}

/** The row group at another offset of a file, without its page indexes, which are not copied. */
function shifted(group: RowGroup, by: bigint): RowGroup {
  const columns = group.columns.map(({ file_offset, meta_data: meta }): ColumnChunk => {
    if (meta === undefined) throw new Error('a column has no metadata');
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
