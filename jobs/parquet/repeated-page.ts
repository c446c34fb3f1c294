/**
 * A column of few values that many rows repeat: a dictionary, and one page of places in it. The package's own writer looks the value of
 * every row up to make the dictionary, which its caller knows.
 */
import type { ColumnChunk, Statistics } from 'hyparquet';
import { ByteWriter, type SchemaElement } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { writePlain } from 'hyparquet-writer/src/plain.js';
import { present } from '../../engine/present.ts';
import { type Compress, writeDataPage } from './data-page.ts';

/** Texts, integers, or days since 1970-01-01. */
export interface Repeated {
  /** All different, and each of at least one row. */
  readonly values: readonly (string | number)[];
  /** For each row the place of its value in `values`, or `ABSENT` in an optional column. */
  readonly places: Int32Array;
}

export const ABSENT = -1;

/** Writes dictionary and page, and returns the description of the column. */
export function writeRepeated(
  writer: ByteWriter,
  element: SchemaElement,
  { values, places }: Repeated,
  compress: Compress,
): Required<Pick<ColumnChunk, 'file_offset' | 'meta_data'>> {
  const start = writer.offset;
  const type = present(element.type, 'the type of a column');
  const encoded = values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value));
  const dictionary = new ByteWriter();
  writePlain(dictionary, encoded, type, undefined);
  const dictionarySize = writeDictionaryPage(writer, dictionary.getBytes(), values.length, compress);
  const pageStart = writer.offset;
  const { levels, given } = element.repetition_type === 'OPTIONAL' ? givenOf(places) : { levels: null, given: places };
  const [rows, count] = [places.length, given.length];
  const width = 32 - Math.clz32(Math.max(0, values.length - 1));
  const page = new ByteWriter();
  page.appendUint8(width);
  writeRleBitPackedHybrid(page, given, width);
  const dataPage = { rows, levels, present: count, encoding: 'RLE_DICTIONARY', bytes: page.getBytes() } as const;
  const pageSize = writeDataPage(writer, dataPage, compress);
  return {
    file_offset: BigInt(start),
    meta_data: {
      type,
      encodings: ['PLAIN', 'RLE_DICTIONARY'],
      path_in_schema: [element.name],
      codec: 'ZSTD',
      num_values: BigInt(rows),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(dictionarySize + pageSize),
      dictionary_page_offset: BigInt(start),
      data_page_offset: BigInt(pageStart),
      statistics: { ...boundsOf(encoded), null_count: BigInt(rows - count) },
      encoding_stats: [
        { page_type: 'DICTIONARY_PAGE', encoding: 'PLAIN', count: 1 },
        { page_type: 'DATA_PAGE_V2', encoding: 'RLE_DICTIONARY', count: 1 },
      ],
    },
  };
}

/** The places without absent ones, and for each row whether it has one. */
function givenOf(places: Int32Array) {
  const levels = new Uint8Array(places.length);
  const given = new Int32Array(places.length);
  let count = 0;
  for (let row = 0; row < places.length; row++) {
    if (places[row] === ABSENT) continue;
    levels[row] = 1;
    given[count++] = places[row];
  }
  return { levels, given: given.subarray(0, count) };
}

/** Returns the size of the page with its header before compression. */
function writeDictionaryPage(writer: ByteWriter, bytes: Uint8Array, values: number, compress: Compress): number {
  const start = writer.offset;
  const compressed = compress(bytes);
  writePageHeader(writer, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: bytes.length,
    compressed_page_size: compressed.length,
    dictionary_page_header: { num_values: values, encoding: 'PLAIN' },
  });
  const size = writer.offset - start + bytes.length;
  writer.appendBytes(compressed);
  return size;
}

/** The least and the greatest value, texts in the order of their bytes. */
function boundsOf(encoded: readonly (Buffer | number)[]): Pick<Statistics, 'min_value' | 'max_value'> {
  if (encoded.length === 0) return {};
  return {
    min_value: encoded.reduce((min, value) => (isBefore(value, min) ? value : min)),
    max_value: encoded.reduce((max, value) => (isBefore(max, value) ? value : max)),
  };
}

function isBefore(a: Buffer | number, b: Buffer | number): boolean {
  return typeof a === 'number' || typeof b === 'number' ? a < b : a.compare(b) < 0;
}
