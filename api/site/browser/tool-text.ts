/** Texts of forms, results, accounts, and the back office, in the language of the page: pages without them do not load them. */
import type { BrowserText } from '../texts/catalogue.ts';
import { locale } from './page-locale.ts';
import { addTexts, type Details, textOf } from './text.ts';

const TEXTS = {
  en: () => import('site/texts/tools/en'),
  'zh-CN': () => import('site/texts/tools/zh-CN'),
  'zh-TW': () => import('site/texts/tools/zh-TW'),
};
addTexts((await TEXTS[locale]()).default);

export const t = (key: BrowserText, details: Details = {}) => textOf(key, details);
