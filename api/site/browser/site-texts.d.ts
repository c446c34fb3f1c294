/** All texts in one language: a module that the build of the site makes for each. */
declare module 'site/texts/*' {
  const texts: Readonly<Record<import('../texts/catalogue.ts').SiteText, string>>;
  export default texts;
}
