/** The languages, themes, and widths in which every page is opened: pairwise, or every combination if SITE_VIEWS is `all`. */
import { LOCALES } from '../../api/http/language/locale.ts';
import type { View } from './site.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 1440] as const;

/** Views in which each pair of two values occurs at least once. */
const PAIRWISE: readonly View[] = [
  { locale: 'en', theme: 'light', width: 1440 },
  { locale: 'en', theme: 'dark', width: 360 },
  { locale: 'zh-CN', theme: 'dark', width: 1440 },
  { locale: 'zh-CN', theme: 'light', width: 360 },
  { locale: 'zh-TW', theme: 'light', width: 1440 },
  { locale: 'zh-TW', theme: 'dark', width: 360 },
];
const ALL: readonly View[] = LOCALES.flatMap((locale) =>
  THEMES.flatMap((theme) => WIDTHS.map((width) => ({ locale, theme, width }))),
);

export const VIEWS = process.env.SITE_VIEWS === 'all' ? ALL : PAIRWISE;

/** Returns the file name of a screenshot of a page. */
export function pictureName(path: string, { locale, theme, width }: View): string {
  return `${path.replace(/^\//, '').replaceAll(/\W+/g, '-') || 'home'}.${locale}.${theme}.${width}`;
}
