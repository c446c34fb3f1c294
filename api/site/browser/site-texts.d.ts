/** Texts in one language: a module that the build of the site makes for each. */
declare module 'site/texts/*' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}
