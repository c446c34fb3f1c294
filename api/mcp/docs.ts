/** The documentation that assistants read, by section. */
import { readFileSync } from 'node:fs';

const PAGES = ['RULES', 'API', 'FIGURES', 'GLOSSARY'];

function sectionsOf(page: string): [string, string][] {
  const [, ...parts] = readFileSync(new URL(`../../ops/docs/${page}.md`, import.meta.url), 'utf8').split(/^## /m);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    return [`${page}/${part.slice(0, end)}`, part.slice(end + 1).trim()];
  });
}

/** `PAGE/Heading` → text. */
export const SECTIONS: ReadonlyMap<string, string> = new Map(PAGES.flatMap(sectionsOf));
