/** The parts of `negotiator` that are used here. The published types lack `preferred`. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> });
    /** The tags of Accept-Language, those with the highest q-value first. */
    languages(): string[];
    /** The encoding with the highest q-value; the first of `preferred` among equals. */
    encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
  }
}
