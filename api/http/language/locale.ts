/** Which language a caller is served. */
export const LOCALES = ['en', 'zh-CN', 'zh-TW'] as const;
export type Locale = (typeof LOCALES)[number];

const MAX_HEADER_CHARS = 1000;

/** The served language that a tag stands for (`zh-Hant-HK` → `zh-TW`, `en-GB` → `en`); null when we have none. */
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

/** `lang` wins over the Accept-Language header, whose q-values are honoured. Unsupported ones give the default. */
export function chooseLocale(lang: string | undefined, header: string | undefined, fallback: Locale): Locale {
  if (lang !== undefined) return matchLocale(lang) ?? fallback;
  if (header === undefined || header === '' || header.length > MAX_HEADER_CHARS) return fallback;
  const known = remembered.get(header);
  if (known) return known === 'default' ? fallback : known;
  const chosen = negotiate(header);
  if (remembered.size > 1000) remembered.clear();
  remembered.set(header, chosen ?? 'default');
  return chosen ?? fallback;
}

/** Clients send few different headers. */
const remembered = new Map<string, Locale | 'default'>();

function negotiate(header: string): Locale | null {
  const wanted = header
    .split(',')
    .map((part, position) => {
      const [tag, ...parameters] = part.split(';');
      const q = parameters.map((p) => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(p)?.[1]).find((value) => value !== undefined);
      return { tag: tag.trim(), q: q === undefined ? 1 : Number(q), position };
    })
    .filter(({ tag, q }) => tag !== '' && q > 0)
    .sort((a, b) => b.q - a.q || a.position - b.position);
  for (const { tag } of wanted) {
    if (tag === '*') return null;
    const locale = matchLocale(tag);
    if (locale) return locale;
  }
  return null;
}
