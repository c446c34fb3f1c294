/** Completion of queries: views after `from`, columns of the views that are named, and nothing within quotes. */
import { expect, it } from '@jest/globals';
import { sqlCompletion } from '../../api/site/browser/sql-completion.ts';

const textsAt = (text: string) => sqlCompletion(text, text.length).choices.map((choice) => choice.text);

it.each([
  ['select * from bar', ['bars', 'bars_adjusted']],
  ['select * from bars b JOIN sy', ['symbols']],
  ['select prim', ['primary_venue']],
  ['select is_complete, ven', ['venue_mode']],
  ["select * from symbols where name = 'sym", []],
  ["select * from symbols where name = 'x' and curr", ['currency']],
  ['select sy', ['symbol', 'symbols']],
])('of %j offers %j', (text, expected) => {
  expect(textsAt(text)).toEqual(expected);
});

it('offers columns of the named views only, with their views', () => {
  const text = 'select  from sessions join symbols using (x)';
  const { from, to, choices } = sqlCompletion(text, 7);
  expect([from, to]).toEqual([7, 7]);
  const columns = choices.filter(({ of }) => of !== '');
  expect(columns.every(({ of }) => ['sessions', 'symbols', 'sessions, symbols'].includes(of))).toBe(true);
  expect(columns.map(({ text: column }) => column)).not.toContain('close');
});

it('replaces the word before the cursor', () => {
  expect(sqlCompletion('select clo from bars', 10)).toMatchObject({ from: 7, to: 10 });
});
