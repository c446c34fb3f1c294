/** The form of the site's texts. */
import type { Locale } from '../../http/language/locale.ts';

/**
 * `{name}` is filled in; `{name|bar|bars}` is a number with the word that fits it: the first for one, the second for others.
 */
export type SiteTexts = Readonly<Record<string, Readonly<Record<Locale, string>>>>;
