/** How Chinese is written, in every text of the project: no typed space beside Latin words and figures, and its own punctuation. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { parseSync, Visitor } from 'oxc-parser';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['api', 'engine', 'jobs'];
const HAN = /\p{Script=Han}/u;

interface Written {
  readonly at: string;
  readonly text: string;
}

/** Values in a template stand for words. */
const VALUE = '{value}';

/** The texts of a module that have Chinese; those of regular expressions and comments are none. */
function textsOf(name: string, code: string): Written[] {
  const { program, errors } = parseSync(name, code);
  if (errors.length > 0) throw new Error(`${name} cannot be parsed: ${errors[0].message}`);
  const found: Written[] = [];
  const add = (start: number, text: string) => {
    if (HAN.test(text)) found.push({ at: `${name}:${code.slice(0, start).split('\n').length}`, text });
  };
  new Visitor({
    Literal: ({ start, value }) => {
      if (typeof value === 'string') add(start, value);
    },
    TemplateLiteral: ({ start, quasis }) => add(start, quasis.map(({ value }) => value.cooked ?? '').join(VALUE)),
  }).visit(program);
  return found;
}

/** The lines of a guide, without the marks that begin a line, part cells, and make emphasis. */
function linesOf(name: string, text: string): Written[] {
  return text.split('\n').flatMap((line, i) =>
    line
      .replace(/^\s*(#+|[-*>]|\d+\.) /, '')
      .split('|')
      .map((cell) => ({ at: `${name}:${i + 1}`, text: cell.trim().replaceAll(/\*\*|__/g, '') }))
      .filter((cell) => HAN.test(cell.text)),
  );
}

const written = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|md)$/.test(name) && !/(^|\/)node_modules\//.test(name))
    .flatMap((name) => {
      const path = join(folder, name);
      const code = readFileSync(join(ROOT, path), 'utf8');
      if (!HAN.test(code)) return [];
      return path.endsWith('.md') ? linesOf(path, code) : textsOf(path, code);
    }),
);

/** Signs of a calculation, and what stands between the parts of a title, have a space on either side. */
const SPACED = '÷×−+=<>≤≥→←·';
const HAN_OR_MARK = '[\\p{Script=Han}，。：；！？、（）「」『』“”]';

/** Faults of a text of either script. */
const FAULTS: readonly (readonly [string, RegExp])[] = [
  ['a typed space', new RegExp(`${HAN_OR_MARK} +[^\\s${SPACED}]|[^\\s${SPACED}] +${HAN_OR_MARK}`, 'u')],
  [
    'half-width punctuation',
    /\p{Script=Han}[,;:?!"(]|[,;:?!"]\p{Script=Han}|(?<![\]\w])\(\p{Script=Han}|\p{Script=Han}\)/u,
  ],
  ['dots for an ellipsis', /\p{Script=Han}\.\.|\.\.\.+\p{Script=Han}/u],
  ['a hyphen for a dash or a range', /\p{Script=Han}-\p{Script=Han}|\d%?-\d+%/u],
  ['quotation marks of both scripts', /[「」『』].*[“”‘’]|[“”‘’].*[「」『』]/u],
];

function faultsOf(texts: readonly Written[]): string[] {
  return texts.flatMap(({ at, text }) =>
    FAULTS.filter(([, pattern]) => pattern.test(text)).map(([fault]) => `${at}: ${fault}: ${text}`),
  );
}

it('is written without typed spaces, and with its own punctuation', () => {
  expect(written.length).toBeGreaterThan(2_500);
  expect(faultsOf(written)).toEqual([]);
});

it('has the quotation marks of its script', () => {
  // Forms that only one of the scripts has.
  const isTaiwanese = ({ text }: Written) =>
    /[這為與個們時對數據現歷號開關圖標選擇請錯載過於場網絡環節項設認證儲檢]/u.test(text);
  const isMainland = ({ text }: Written) =>
    /[这为与个们时对数据现历号开关图标选择请错载过场网络环节项设认证储检]/u.test(text);
  const both = written.filter((one) => isTaiwanese(one) && isMainland(one));
  expect(both).toEqual([]);
  expect(written.filter((one) => isTaiwanese(one) && /[“”‘’]/u.test(one.text))).toEqual([]);
  expect(written.filter((one) => isMainland(one) && /[「」『』]/u.test(one.text))).toEqual([]);
});

it('is refused with spaces, with half-width punctuation, and with marks of the other script', () => {
  const code = "const one = ['共 3 个', '共{n} 个', '名称, 代码', '读取中...', '回落5%-20%', '名称（a）', `已${".concat(
    '1} 完`];',
  );
  const faults = faultsOf(textsOf('x.ts', code));
  expect(faults.map((fault) => fault.split(': ')[1])).toEqual([
    'a typed space',
    'a typed space',
    'a typed space',
    'half-width punctuation',
    'dots for an ellipsis',
    'a hyphen for a dash or a range',
    'a typed space',
  ]);
  expect(faultsOf(linesOf('x.md', '- 用 `a` 读取\n| 名称 | `a` |\n1. **名称**：`a`'))).toHaveLength(1);
});
