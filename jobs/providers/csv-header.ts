/** Columns of a CSV file, by the names in its header. */
import { fromKeys } from '../../engine/util/records.ts';
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
