/** The documentation of the interface, a section at a time. */
import { readFileSync } from 'node:fs';
import { z } from '../http/input/fields.ts';
import { defineTool } from './tool.ts';

const PAGE = new URL('../../ops/docs/API.md', import.meta.url);
/** Maximum characters of one answer. Longer sections are returned in parts. */
const MAX_CHARS = 3_000;
const NOTE = 'Examples are of the sample market; search_symbols finds symbols of this one.';

/** Heading → text, of the page that the project ships. */
function readSections(): ReadonlyMap<string, string> {
  const [, ...parts] = readFileSync(PAGE, 'utf8').split(/^## /m);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1).trim()]));
}

export const readDocs = defineTool({
  name: 'read_docs',
  description: 'Documentation of the HTTP interface by section; without a section, the list of sections.',
  inputSchema: z.object({ section: z.string().max(100).optional(), part: z.number().int().min(1).default(1) }),
  isReadOnly: true,
  run: async ({ section, part }, { link }) => {
    const sections = readSections();
    const name = [...sections.keys()].find((one) => one.toLowerCase() === section?.toLowerCase());
    const text = name === undefined ? undefined : sections.get(name);
    const reference = link('/docs');
    if (text === undefined) return { sections: [...sections.keys()], reference };
    const parts = Math.ceil(text.length / MAX_CHARS);
    return {
      section: name,
      part,
      parts,
      text: text.slice((part - 1) * MAX_CHARS, part * MAX_CHARS),
      note: NOTE,
      reference,
    };
  },
});
