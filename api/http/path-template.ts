/** Path templates of routes and pages: `/s/{symbol}`. */
import { pathToRegexp } from 'path-to-regexp';

/** `/s/{symbol}` as Express writes it: `/s/:symbol`. */
export function toExpressPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Whether a path has the form of a template, as Express would match it. */
export function pathMatcher(template: string): (path: string) => boolean {
  const { regexp } = pathToRegexp(toExpressPath(template));
  return (path) => regexp.test(path);
}
