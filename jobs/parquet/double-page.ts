/**
 * A column of doubles as one page of a row group, from a typed array. The package's own writer takes boxed values one by one, which
 * took several times as long and left megabytes of garbage for each row group.
 */
import type { ColumnChunk, Statistics } from 'hyparquet';
import type { ByteWriter } from 'hyparquet-writer';
import { type Compress, writeDataPage } from './data-page.ts';

/** Values of an optional column; NaN is absent. */
export interface Doubles {
  readonly name: string;
  readonly values: Float64Array;
}

/** Writes the page, and returns the description of the column. */
export function writeDoubles(
  writer: ByteWriter,
  { name, values }: Doubles,
  compress: Compress,
): Required<Pick<ColumnChunk, 'file_offset' | 'meta_data'>> {
  const start = writer.offset;
  const { levels, present, statistics } = presentOf(values);
  const bytes = new Uint8Array(present.buffer, 0, present.byteLength);
  const page = { rows: values.length, levels, present: present.length, encoding: 'PLAIN', bytes } as const;
  const uncompressed = writeDataPage(writer, page, compress);
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
