/** Chooses the language of an answer. */
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { type Locale, matchLocale } from './locale.ts';

const MAX_HEADER_CHARS = 1000;

/** Chooses by `lang`, else by the Accept-Language header and its q-values, else `fallback`. */
export function chooseLocale(lang: string | undefined, header: string | undefined, fallback: Locale): Locale {
  if (lang !== undefined) return matchLocale(lang) ?? fallback;
  if (header === undefined || header === '' || header.length > MAX_HEADER_CHARS) return fallback;
  const chosen = negotiated.memo(header);
  return chosen === 'any' ? fallback : chosen;
}

/** Clients send few different headers, and parsing one takes some microseconds. */
const negotiated = new LRUCache<string, Locale | 'any'>({ max: 1_000, memoMethod: negotiate });

/**
 * The first language in the order of the header that is served; `any` for `*`, or when none is. The negotiator alone
 * would not find one for tags such as `zh-Hant` or `yue`.
 */
function negotiate(header: string): Locale | 'any' {
  for (const tag of new Negotiator({ headers: { 'accept-language': header } }).languages()) {
    if (tag === '*') return 'any';
    const locale = matchLocale(tag);
    if (locale) return locale;
  }
  return 'any';
}
