/** Headers by which an answer says that its route will go. */
import type { Deprecation } from './route.ts';

const MS_PER_S = 1_000;

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), with a link to the page that says what to use instead. */
export function deprecationHeaders({ since, sunset, link }: Deprecation): Readonly<Record<string, string>> {
  return {
    Deprecation: `@${Date.parse(since) / MS_PER_S}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${link}>; rel="deprecation"; type="text/html"`,
  };
}
