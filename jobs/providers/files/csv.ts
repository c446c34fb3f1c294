/** CSV files, plain or gzipped, as text and as records. Every error names the file and the line. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import Papa from 'papaparse';
import { fromKeys } from '../../../engine/util/values.ts';
import { columnsOf } from '../csv-rows.ts';
import { ProviderError } from '../provider.ts';
import type { SourceDigest } from '../source-digest.ts';
import { CHUNK_BYTES, digested, gunzipped, type TextChunk, textChunks } from '../text-chunks.ts';

export interface FileChunk extends TextChunk {
  /** Bytes of the file read so far, compressed as on disk. */
  readonly bytesRead: number;
}

/** The UTF-8 text of a file in chunks of whole lines. The error for a broken file names the line. */
export async function* readText(path: string, digest?: SourceDigest): AsyncGenerator<FileChunk> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const onDisk = digested(file, digest);
  const bytes = path.endsWith('.gz') ? gunzipped(onDisk) : onDisk;
  const fault = (line: number, error: Error) =>
    new ProviderError(`${path}:${line}: the file cannot be read: ${error.message}`, { cause: error, isLocal: true });
  try {
    for await (const { text, line } of textChunks(bytes, fault)) yield { text, line, bytesRead: file.bytesRead };
  } finally {
    file.destroy();
  }
}

export interface CsvRecord<N extends string> {
  /** Trimmed fields; a missing column is empty. */
  readonly fields: Readonly<Record<N, string>>;
  readonly source: string;
  readonly content: string;
}

/** Records of a file with a header row, for lists that fit into memory. Quoted fields may hold line breaks. */
export async function* readRecords<const N extends string>(
  path: string,
  names: readonly N[],
  required: readonly N[],
): AsyncGenerator<CsvRecord<N>> {
  let text = '';
  for await (const chunk of readText(path)) text += chunk.text;
  const { data, errors } = Papa.parse<string[]>(text);
  const broken = errors.find((error) => error.type === 'Quotes');
  if (broken) throw new ProviderError(`${path}:${(broken.row ?? 0) + 1}: ${broken.message}`);
  const columns = columnsOf(data[0] ?? [], names, path, required);
  for (let row = 1; row < data.length; row++) {
    const values = data[row];
    if (values.length === 1 && values[0] === '') continue;
    const fields = fromKeys(names, (name) => (values[columns[name]] ?? '').trim());
    yield { fields, source: `${path}:${row + 1}`, content: values.join(',') };
  }
}

export async function isReadable(path: string): Promise<boolean> {
  try {
    await (await open(path)).close();
    return true;
  } catch {
    return false;
  }
}
