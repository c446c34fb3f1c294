/** Content security policy: sources that a page may load from, and sites that may embed it. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './addresses.ts';

const digest = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

/** The only style element of the site: the chart library writes one for its logo. */
function logoStyle(): string {
  const code = readFileSync(
    join(packageFolder('lightweight-charts'), 'dist/lightweight-charts.standalone.production.mjs'),
    'utf8',
  );
  const style = /a#tv-attr-logo\{[^"'`]*?\}a#tv-attr-logo\[data-dark\]\{[^"'`]*?\}/.exec(code);
  if (!style) throw new Error('the chart library has no style of its logo');
  return style[0];
}

/** The Content-Security-Policy of a page with this import map; `hasInlineStyles`: it may write any style. */
export function contentPolicy(importMap: string, hasInlineStyles = false): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${digest(importMap)}`,
    `style-src 'self' ${hasInlineStyles ? "'unsafe-inline'" : digest(logoStyle())}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
