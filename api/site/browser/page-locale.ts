import { LOCALES } from '../../http/language/locale.ts';

/** The language of the page, which the server has chosen. */
export const locale = LOCALES.find((one) => one === document.documentElement.lang) ?? 'en';
