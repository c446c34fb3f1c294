/** Fields of delimited text. A record is one line: a quote that the line does not close makes the line unreadable, and no other one. */
import Papa from 'papaparse';
import { fromKeys } from '../../engine/util/values.ts';
import { ProviderError } from './provider.ts';

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** The delimiter that a header line has most of; a comma when it has none. */
export function delimiterOf(header: string): Delimiter {
  const count = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.reduce((best, other) => (count(other) > count(best) ? other : best));
}

/** The fields of a line; null when its quotes are wrong. Only lines with a quote need the parser, and most have none. */
export function splitFields(line: string, delimiter: string): string[] | null {
  return line.includes('"') ? splitQuoted(line, delimiter) : line.split(delimiter);
}

function splitQuoted(line: string, delimiter: string): string[] | null {
  const { data, errors } = Papa.parse<string[]>(line, { delimiter, newline: '\n' });
  return errors.length > 0 ? null : data[0];
}

/** A field of a line as it is written; a line break in it becomes a space, because a record is one line. */
export function quotedField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""').replaceAll(/[\r\n]+/g, ' ')}"` : text;
}

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
