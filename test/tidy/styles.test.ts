/** The stylesheets of the site: each is a room, and a class belongs to one of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const STYLES = 'api/site/styles';
/** A medium in which classes of all rooms are changed. */
const OF_ALL_ROOMS = 'print.css';

/** The selectors of all rules. Lists within parentheses stay whole. */
function selectorsIn(css: string): string[] {
  const rules = css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g);
  return [...rules].flatMap(([, selectors]) => selectors.split(/,(?![^(]*\))/)).map((selector) => selector.trim());
}

/** The class that a selector defines: its only name, perhaps of an element or in a state; null for a place within others. */
const definedBy = (selector: string) =>
  /^[a-z-]*\.([\w-]+)(?:::?[\w-]+(?:\([^)]*\))?|\[[^\]]*\])*$/.exec(selector)?.[1] ?? null;

it('no class is defined in two of them, where pages of one would get the looks of the other', () => {
  const rooms = new Map<string, Set<string>>();
  for (const file of readdirSync(STYLES).filter((name) => name.endsWith('.css') && name !== OF_ALL_ROOMS)) {
    for (const selector of selectorsIn(readFileSync(join(STYLES, file), 'utf8'))) {
      const name = definedBy(selector);
      if (name !== null) rooms.set(name, (rooms.get(name) ?? new Set()).add(file));
    }
  }
  expect(rooms.size).toBeGreaterThan(200);
  const shared = [...rooms]
    .filter(([, files]) => files.size > 1)
    .map(([name, files]) => `${name}: ${[...files].join(', ')}`);
  expect(shared).toEqual([]);
});
