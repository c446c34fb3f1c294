/** The texts of the page's language: each page maps the name to a module of its own. */
declare module 'site/texts' {
  export const locale: import('../../http/language/locale.ts').Locale;
  const texts: Readonly<Record<import('../texts/catalogue.ts').SiteText, string>>;
  export default texts;
}
