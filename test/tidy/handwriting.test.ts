/** Code style: no object literal is spread into another, types are checked instead of asserted, comments are sentences. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parseSync, Visitor } from 'oxc-parser';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['api', 'db', 'engine', 'jobs', 'storage', 'ops', 'test', 'migrations'];

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs)$/.test(name) && !/(^|\/)node_modules\//.test(name))
    .map((name) => join(folder, name)),
);

function parsed(name: string, text: string) {
  const { program, errors } = parseSync(name, text);
  if (errors.length > 0) throw new Error(`${name} cannot be parsed: ${errors[0].message}`);
  return program;
}

/** Lines of all files at which `find` finds something, as `path:line`. */
function placesOf(find: (name: string, text: string) => number[]): string[] {
  return files.flatMap((path) => find(path, readFileSync(join(ROOT, path), 'utf8')).map((line) => `${path}:${line}`));
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

/** Lines at which an object literal is spread into another. */
function spreadLiterals(name: string, text: string): number[] {
  const lines: number[] = [];
  new Visitor({
    ObjectExpression: ({ properties }) => {
      for (const property of properties) {
        if (property.type !== 'SpreadElement' || property.argument.type !== 'ObjectExpression') continue;
        lines.push(lineAt(text, property.start));
      }
    },
  }).visit(parsed(name, text));
  return lines;
}

/** Lines that assert a type: `as`, `<T>value`, or `value!`. `as const` asserts nothing. */
function assertions(name: string, text: string): number[] {
  const lines: number[] = [];
  const add = ({ start }: { readonly start: number }) => lines.push(lineAt(text, start));
  new Visitor({
    TSAsExpression: (node) => {
      const { typeAnnotation } = node;
      if (text.slice(typeAnnotation.start, typeAnnotation.end) !== 'const') add(node);
    },
    TSTypeAssertion: add,
    TSNonNullExpression: add,
  }).visit(parsed(name, text));
  return lines.sort((a, b) => a - b);
}

describe('object literals', () => {
  it('spread no literal into another', () => {
    expect(files.length).toBeGreaterThan(300);
    expect(placesOf(spreadLiterals)).toEqual([]);
  });

  it('are distinguished from spreads of values and of arrays', () => {
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

/** How many assertions there may be. Lower the numbers when some go; do not raise them. */
const MOST_ASSERTIONS = { product: 12, tests: 125 };

/** Whether a comment ends on the line above one, which is counted from 1. */
function hasReason(text: string, line: number): boolean {
  return /^\s*(\/\/|\*\/|\/\*\*)/.test(text.split('\n')[line - 2] ?? '');
}

describe('assertions of types', () => {
  const places = placesOf(assertions);

  it('do not increase in number', () => {
    const tests = places.filter((place) => place.startsWith('test/'));
    const product = places.filter((place) => !place.startsWith('test/'));
    const listed = (found: readonly string[], most: number) => (found.length > most ? found : []);
    expect(listed(product, MOST_ASSERTIONS.product)).toEqual([]);
    expect(listed(tests, MOST_ASSERTIONS.tests)).toEqual([]);
  });

  it('have a comment on the line above in the product that says why no check replaces them', () => {
    const without = places.filter((place) => {
      const [path, line] = place.split(':');
      return !path.startsWith('test/') && !hasReason(readFileSync(join(ROOT, path), 'utf8'), Number(line));
    });
    expect(without).toEqual([]);
    const text = '// Only this function makes one.\nconst kept = given as Kept;\nconst other = given as Other;';
    expect([2, 3].map((line) => hasReason(text, line))).toEqual([true, false]);
  });

  it('are distinguished from constants, checks, and renamed imports', () => {
    const text = `
      import { a as b } from './a.ts';
      const kept = ['x'] as const satisfies readonly string[];
      const one = b as string;
      const two = <number>one;
      const three = (two as unknown as Map<string, string>).get('x')!;`;
    expect(assertions('text.ts', text)).toEqual([4, 5, 6, 6, 6]);
  });
});

/** Lines of comments that begin as a fragment ("What …", "Of …") instead of naming their subject. */
function fragments(name: string, text: string): number[] {
  const { comments } = parseSync(name, text);
  return comments
    .filter(({ value }) => /^[\s*]*(What|Of|Whose|Whom|Whoever)\s/.test(value))
    .map(({ start }) => lineAt(text, start));
}

describe('comments', () => {
  it('name their subject', () => {
    expect(placesOf(fragments)).toEqual([]);
    const text =
      '/** What a call returns. */\nconst a = 1; // Of the last call.\n/**\n * Whose turn\n */\n// Offers what is left.\n';
    expect(fragments('text.ts', text)).toEqual([1, 2, 3]);
  });
});
