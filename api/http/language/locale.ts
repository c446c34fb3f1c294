/** The languages of the service. */
export const LOCALES = ['en', 'zh-CN', 'zh-TW'] as const;
export type Locale = (typeof LOCALES)[number];

/** The served language that a tag stands for (`zh-Hant-HK` → `zh-TW`, `en-GB` → `en`); null when there is none. */
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
