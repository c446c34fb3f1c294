/** Texts of the site: every text is in the catalog, in three languages, and used. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parseSync, Visitor } from 'oxc-parser';
import { PAGES } from '../../api/site/pages.ts';
import { SITE_TEXTS } from '../../api/site/texts/catalogue.ts';

const SITE = fileURLToPath(new URL('../../api/site', import.meta.url));
const sources = readdirSync(SITE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('texts/'))
  .map((name) => ({ name, code: readFileSync(join(SITE, name), 'utf8') }));

/** Attributes that browsers show or screen readers speak. */
const SPOKEN = /\b(aria-label|aria-description|placeholder|title|alt|label|caption)="([^"]*\p{L}[^"]*)"/gu;

/** Words that may be written in templates. */
function wordsInTemplates(name: string, code: string): string[] {
  const { program, errors } = parseSync(name, code);
  if (errors.length > 0) throw new Error(`${name} cannot be parsed: ${errors[0].message}`);
  const found: string[] = [];
  new Visitor({
    TaggedTemplateExpression: ({ tag, quasi }) => {
      if (tag.type !== 'Identifier' || tag.name !== 'html') return;
      const markup = quasi.quasis.map(({ value }) => value.cooked ?? '').join('\0');
      const text = markup
        .replaceAll(/<code[\s>].*?<\/code>/gs, '')
        .replaceAll(/<[^>]*>/gs, '\n')
        .replaceAll(/&\w+;/g, '');
      for (const [words] of text.matchAll(/\p{L}[\p{L}\p{P} ]*/gu)) found.push(`${name}: ${words.trim()}`);
      for (const [spoken] of markup.matchAll(SPOKEN)) found.push(`${name}: ${spoken}`);
    },
  }).visit(program);
  return found;
}

describe('the texts of the site', () => {
  it('are in the catalog and not in templates', () => {
    expect(sources.filter(({ name }) => name.startsWith('browser/')).length).toBeGreaterThan(10);
    const inBrowser = sources.filter(({ name }) => name.startsWith('browser/'));
    expect(inBrowser.flatMap(({ name, code }) => wordsInTemplates(name, code))).toEqual([]);
  });

  it('have keys of their own: of two texts with one key only the last would be shown', () => {
    const folder = join(SITE, 'texts');
    const keys = readdirSync(folder).flatMap((name) => {
      const source = readFileSync(join(folder, name), 'utf8');
      return [...source.matchAll(/^ {2}'?([\w.]+)'?: text\(/gm)].map(([, key]) => key);
    });
    expect(keys.length).toBeGreaterThan(1_000);
    expect(keys.filter((key, i) => keys.indexOf(key) < i)).toEqual([]);
  });

  it('are detected in templates', () => {
    const code = ['html`<p title="Look here">', '{x} and </p><b>–</b><code>curl</code><i class="word"></i>`;'].join(
      '$',
    );
    expect(wordsInTemplates('x.ts', code)).toEqual(['x.ts: and', 'x.ts: title="Look here"']);
  });

  it('have the same details in all languages, and Chinese that differs where it must', () => {
    const names = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name).sort();
    const wrong = Object.entries(SITE_TEXTS).filter(
      ([, text]) =>
        String(names(text.en)) !== String(names(text['zh-CN'])) ||
        String(names(text.en)) !== String(names(text['zh-TW'])),
    );
    expect(wrong.map(([key]) => key)).toEqual([]);
    // Letters of which Taiwan writes another form.
    const simplified = /[这为与个们时对数据现历号开关页图标选择误请错载过于场网络环节项设显认证仅将]/;
    const mixed = Object.entries(SITE_TEXTS).filter(([, text]) =>
      simplified.test(text['zh-TW'].replaceAll(/[於]/g, '')),
    );
    expect(mixed.map(([key]) => key)).toEqual([]);
  });

  it('are all used', () => {
    const code = sources.map((source) => source.code).join('\n');
    const ofPages: readonly string[] = PAGES.map(({ description }) => description);
    const isUsed = (key: string) =>
      ofPages.includes(key) ||
      code.includes(`'${key}'`) ||
      [...key.matchAll(/\./g)].some(({ index }) => code.includes(`\`${key.slice(0, index + 1)}\${`));
    expect(Object.keys(SITE_TEXTS).filter((key) => !isUsed(key))).toEqual([]);
  });
});
