/** The languages of the service, and texts in all of them. */

import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

export const LOCALES = ['en', 'zh-CN', 'zh-TW'] as const;
export type Locale = (typeof LOCALES)[number];

/** The served language for a language tag (`zh-Hant-HK` → `zh-TW`, `en-GB` → `en`); null if there is none. */
export function matchLocale(tag: string): Locale | null {
  try {
    const { language, script } = new Intl.Locale(tag.trim().replaceAll('_', '-')).maximize();
    if (language === 'en') return 'en';
    if (language === 'zh' || language === 'yue') return script === 'Hant' ? 'zh-TW' : 'zh-CN';
    return null;
  } catch {
    return null;
  }
}

export type Text = Readonly<Record<Locale, string>>;

/** Replaces each `{name}` by the detail of that name. */
export function fill(template: string, details: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(details[name] ?? whole));
}

/** Sentences in a row. Chinese puts no space between them. */
export function joinSentences(locale: Locale, ...sentences: readonly string[]): string {
  return sentences.join(locale === 'en' ? ' ' : '');
}

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
