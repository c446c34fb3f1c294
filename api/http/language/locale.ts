/** The languages of the service, and texts in all of them. */
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
