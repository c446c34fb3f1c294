/** The page of values of a column. */
import type { Encoding } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';

/** The codec ZSTD. Its receiver owns the result, and the whole buffer in which that lies. */
export type Compress = (bytes: Uint8Array) => Uint8Array;

export interface DataPage {
  readonly rows: number;
  /** For each row whether it has a value; null: the column is not optional. */
  readonly levels: Uint8Array | null;
  /** Rows with a value. */
  readonly present: number;
  readonly encoding: Encoding;
  /** The encoded values. */
  readonly bytes: Uint8Array;
}

/** Returns the size of the page with its header before compression. */
export function writeDataPage(
  writer: ByteWriter,
  { rows, levels, present, encoding, bytes }: DataPage,
  compress: Compress,
): number {
  const start = writer.offset;
  const levelPage = new ByteWriter(rows / 8 + 64);
  if (levels !== null) writeRleBitPackedHybrid(levelPage, levels, 1);
  const compressed = compress(bytes);
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levelPage.offset + bytes.length,
    compressed_page_size: levelPage.offset + compressed.length,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: rows - present,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: levelPage.offset,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
  const uncompressed = writer.offset - start + levelPage.offset + bytes.length;
  writer.appendBytes(levelPage.getBytes());
  writer.appendBytes(compressed);
  return uncompressed;
}
