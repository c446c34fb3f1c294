/**
 * A column of doubles as one page of a row group, from a typed array. The package's own writer takes boxed values one by one, which
 * took several times as long and left megabytes of garbage for each row group.
 */
import type { ColumnChunk, Statistics } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { releaseArrays } from '../../engine/release-arrays.ts';

/** Values of an optional column; NaN is absent. */
export interface Doubles {
  readonly name: string;
  readonly values: Float64Array;
}

/** Writes the page; `compress` is the codec ZSTD. Returns the description of the column. */
export function writeDoubles(
  writer: ByteWriter,
  { name, values }: Doubles,
  compress: (bytes: Uint8Array) => Uint8Array,
): Required<Pick<ColumnChunk, 'file_offset' | 'meta_data'>> {
  const start = writer.offset;
  const { levels, present, statistics } = presentOf(values);
  const levelPage = new ByteWriter(values.length / 8 + 64);
  writeRleBitPackedHybrid(levelPage, levels, 1);
  const compressed = compress(new Uint8Array(present.buffer, 0, present.byteLength));
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levelPage.offset + present.byteLength,
    compressed_page_size: levelPage.offset + compressed.length,
    data_page_header_v2: {
      num_values: values.length,
      num_nulls: values.length - present.length,
      num_rows: values.length,
      encoding: 'PLAIN',
      definition_levels_byte_length: levelPage.offset,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
  const uncompressed = writer.offset - start + levelPage.offset + present.byteLength;
  writer.appendBytes(levelPage.getBytes());
  writer.appendBytes(compressed);
  releaseArrays(present, levels, levelPage.getBytes(), compressed);
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: 'DOUBLE',
      encodings: ['PLAIN'],
      path_in_schema: [name],
      codec: 'ZSTD',
      num_values: BigInt(values.length),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(uncompressed),
      data_page_offset: BigInt(start),
      statistics,
      encoding_stats: [{ page_type: 'DATA_PAGE_V2', encoding: 'PLAIN', count: 1 }],
    },
  };
}

interface Present {
  /** For each value whether it is present. */
  readonly levels: Uint8Array;
  readonly present: Float64Array;
  readonly statistics: Statistics;
}

function presentOf(values: Float64Array): Present {
  const levels = new Uint8Array(values.length);
  const buffer = new Float64Array(values.length);
  let [count, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Number.isNaN(value)) continue;
    levels[i] = 1;
    buffer[count++] = value;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const statistics: Statistics = { null_count: BigInt(values.length - count) };
  if (count > 0) {
    // The bounds of a zero include the zero of the other sign.
    statistics.min_value = min === 0 ? -0 : min;
    statistics.max_value = max === 0 ? 0 : max;
  }
  return { levels, present: buffer.subarray(0, count), statistics };
}
