/** Completion of a query: views after `from` and `join`, else columns of the views that it names, and words of SQL. */
import { SQL_SCHEMA } from './sql-schema.ts';

export interface SqlChoice {
  readonly text: string;
  /** The views of a column; empty for other words. */
  readonly of: string;
}

export interface SqlCompletion {
  /** The word before the cursor, which a choice replaces. */
  readonly from: number;
  readonly to: number;
  readonly choices: readonly SqlChoice[];
}

const WORDS = (
  'select from where group by order limit having join using with as and or not in between is null distinct case when then else end ' +
  'desc asc over partition filter count sum avg min max median stddev round abs date_trunc lag lead first last row_number'
).split(' ');
const MOST = 12;

const WORD_BEFORE = /[A-Za-z_][A-Za-z_0-9]*$/;
const VIEW_FOLLOWS = /\b(from|join)\s+$/i;

export function sqlCompletion(text: string, cursor: number): SqlCompletion {
  const before = text.slice(0, cursor);
  const word = WORD_BEFORE.exec(before)?.[0] ?? '';
  const from = cursor - word.length;
  const start = word.toLowerCase();
  const isView = VIEW_FOLLOWS.test(before.slice(0, from));
  const offered = isView ? SQL_SCHEMA.map(({ name }): SqlChoice => ({ text: name, of: '' })) : columnsAndWords(text);
  const choices = offered.filter(({ text: one }) => one.startsWith(start) && one !== start);
  return { from, to: cursor, choices: isInText(before) ? [] : choices.slice(0, MOST) };
}

/** Whether the cursor is within quotes. */
const isInText = (before: string) => (before.split("'").length - 1) % 2 === 1;

function columnsAndWords(text: string): SqlChoice[] {
  const named = SQL_SCHEMA.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text));
  const viewsOf = new Map<string, string[]>();
  for (const { name, columns } of named.length === 0 ? SQL_SCHEMA : named) {
    for (const column of Object.keys(columns)) viewsOf.set(column, [...(viewsOf.get(column) ?? []), name]);
  }
  const columns = [...viewsOf].map(([column, views]): SqlChoice => ({ text: column, of: views.join(', ') }));
  const views = SQL_SCHEMA.map(({ name }) => name);
  return [...columns, ...[...WORDS, ...views].map((word) => ({ text: word, of: '' }))];
}
