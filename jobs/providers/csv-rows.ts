/** Rows of CSV text that comes in chunks of whole lines. */
import Papa from 'papaparse';
import { fromKeys } from '../../engine/util/values.ts';
import { ProviderError } from './provider.ts';

/** Positions of named columns in a header line. Throws when a required one is missing. */
export function columnsOf<const N extends string>(
  header: readonly string[],
  names: readonly N[],
  where: string,
  required: readonly N[] = names,
): Record<N, number> {
  const found = header.map((name) => name.trim().toLowerCase());
  const missing = required.filter((name) => !found.includes(name));
  if (missing.length > 0) {
    throw new ProviderError(
      `${where}:1: the header lacks ${missing.join(', ')}; it must name ${names.join(',')} in any order`,
      { isLocal: true },
    );
  }
  return fromKeys(names, (name) => found.indexOf(name));
}

/**
 * Parses the chunks of one file. The delimiter is detected in the first chunk, so that Papa Parse does not detect it in
 * each.
 */
export class CsvRows {
  private delimiter: string | null = null;

  of(text: string): string[][] {
    this.delimiter ??= Papa.parse(text, { preview: 1 }).meta.delimiter;
    const newline = text.includes('\r') ? undefined : '\n';
    return Papa.parse<string[]>(text, { delimiter: this.delimiter, newline }).data;
  }
}
