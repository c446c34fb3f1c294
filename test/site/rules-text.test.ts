/** The page about rules in Chinese says what the English one says. */
import { expect, it } from '@jest/globals';
import { rulesText } from '../../api/site/rules-text.ts';
import { RULE_FUNCTIONS } from '../../engine/rules/functions/catalogue.ts';

const english = await rulesText('en');

const headings = (text: string) => text.match(/^## /gm)?.length;
/** Without the descriptions, which may have code. */
const codes = (text: string) => new Set([...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code));
const blocks = (text: string) => [...text.matchAll(/```json\n\s*(.*?)\n/g)].map(([, code]) => code);

it.each(['zh-CN', 'zh-TW'] as const)('has every name, table, and example in %s', async (locale) => {
  const text = await rulesText(locale);
  expect(headings(text)).toBe(headings(english));
  expect(blocks(text)).toEqual(blocks(english));
  expect(blocks(text)).toHaveLength(12);
  const found = codes(text);
  expect([...codes(english)].filter((code) => !found.has(code))).toEqual([]);
  for (const { name, description } of RULE_FUNCTIONS)
    expect([name, text.includes(`| ${description[locale]} |`)]).toEqual([name, true]);
  expect(text).not.toContain('<!--');
});
