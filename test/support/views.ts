/** The languages, themes, and widths in which every page is opened: each once, or every combination if SITE_VIEWS is `all`. */
import { expect } from '@jest/globals';
import { LOCALES } from '../../api/http/language/locale.ts';
import { siteText } from '../../api/site/texts/catalogue.ts';
import { SHOWN_PAGES } from '../../ops/browser/shown-pages.ts';
import { addPerson } from './accounts.ts';
import { findings, isTooWide, keepPicture, type TestSite, type View } from './site.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 1440] as const;

/** Each language, theme, and width at least once. */
const EACH_ONCE: readonly View[] = [
  { locale: 'en', theme: 'light', width: 1440 },
  { locale: 'zh-CN', theme: 'dark', width: 360 },
  { locale: 'zh-TW', theme: 'light', width: 1440 },
];
const ALL: readonly View[] = LOCALES.flatMap((locale) =>
  THEMES.flatMap((theme) => WIDTHS.map((width) => ({ locale, theme, width }))),
);

export const VIEWS = process.env.SITE_VIEWS === 'all' ? ALL : EACH_ONCE;

/** Expects that every page fits, is accessible, and requests nothing from other hosts. */
export async function expectSoundPages(site: TestSite, view: View): Promise<void> {
  // The views of a minute are more calls than an address may make in it.
  await site.database.pool.query('delete from rate_limits');
  // A login session per view: its first refresh replaces the token that the browser begins with.
  const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
  const { page, context, faults } = await site.open(view, person);
  for (const { path, isReady } of SHOWN_PAGES) {
    await page.goto(path);
    await page.waitForSelector(isReady);
    expect([path, await findings(page)]).toEqual([path, []]);
    expect([path, await isTooWide(page)]).toEqual([path, false]);
    expect(await page.getAttribute('html', 'lang')).toBe(view.locale);
    expect(await page.title()).toContain(siteText('site.name', view.locale));
    await keepPicture(page, pictureName(path, view));
  }
  expect(faults).toEqual([]);
  await context.close();
}

/** Returns the file name of a screenshot of a page. */
export function pictureName(path: string, { locale, theme, width }: View): string {
  return `${path.replace(/^\//, '').replaceAll(/\W+/g, '-') || 'home'}.${locale}.${theme}.${width}`;
}
