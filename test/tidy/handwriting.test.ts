/** How object literals are written: a property a line, and no literal spread into another to save lines. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parseSync, Visitor } from 'oxc-parser';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['api', 'db', 'engine', 'jobs', 'storage', 'ops', 'test', 'migrations'];

/** Lines at which an object literal is spread into another. */
function spreadLiterals(name: string, text: string): number[] {
  const { program, errors } = parseSync(name, text);
  if (errors.length > 0) throw new Error(`${name} cannot be parsed: ${errors[0].message}`);
  const lines: number[] = [];
  new Visitor({
    ObjectExpression: ({ properties }) => {
      for (const property of properties) {
        if (property.type !== 'SpreadElement' || property.argument.type !== 'ObjectExpression') continue;
        lines.push(text.slice(0, property.start).split('\n').length);
      }
    },
  }).visit(program);
  return lines;
}

describe('object literals', () => {
  it('spread no literal into another', () => {
    const files = FOLDERS.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(ts|mjs)$/.test(name))
        .map((name) => join(folder, name)),
    );
    expect(files.length).toBeGreaterThan(300);
    const found = files.flatMap((path) =>
      spreadLiterals(path, readFileSync(join(ROOT, path), 'utf8')).map((line) => `${path}:${line}`),
    );
    expect(found).toEqual([]);
  });

  it('are told from spreads of values and of arrays', () => {
    const text = `
      const kept = { ...given, ...(isLong ? { long: true } : {}), list: [...[1, 2]] };
      const one = { ...{ a, b }, c };
      const two = call({
        inner: { x: [() => ({
          ...{ y: 1 },
        })] },
      });`;
    expect(spreadLiterals('text.ts', text)).toEqual([3, 6]);
  });
});
