/** Zod's own texts in the languages that we serve. */
import { z } from 'zod';
import type { Locale } from './locale.ts';

const { en, zhCN, zhTW } = z.locales;

/** Options for `safeParse`, per language. */
export const LOCALE_PARSING: Readonly<Record<Locale, { error: z.core.$ZodErrorMap }>> = {
  en: { error: en().localeError },
  'zh-CN': { error: zhCN().localeError },
  'zh-TW': { error: zhTW().localeError },
};
