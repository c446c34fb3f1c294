/** Texts in one language: a module that the build of the site makes for each. */
declare module 'site/texts/*' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}

/** The fields of the calls that forms make, by their paths: a module that the build of the site makes. */
declare module 'site/schemas' {
  const schemas: Readonly<Record<string, import('./fields.ts').FieldSchema>>;
  export default schemas;
}
