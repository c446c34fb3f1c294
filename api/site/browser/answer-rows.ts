/** The rows of an answer of the API that is a list, or whose data are one with facts beside it. */
import type { QueryResult } from './types.ts';

export type AnswerRows = Pick<QueryResult, 'columns' | 'rows'>;
type Cell = QueryResult['rows'][number][number];
type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCell = (value: unknown): value is Cell =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** The longest list of the answer; null: there is none with fields to show. */
export function rowsOfAnswer(answer: unknown): AnswerRows | null {
  const data = isFields(answer) ? answer.data : null;
  if (isTable(data)) return data;
  const values = Array.isArray(data) ? [data] : isFields(data) ? Object.values(data) : [];
  const lists = values.filter((value): value is Fields[] => Array.isArray(value) && value.every(isFields));
  const [longest] = lists.sort((a, b) => b.length - a.length);
  return longest === undefined || longest.length === 0 ? null : table(longest);
}

/** Whether the answer is a table already, as that of a query. */
function isTable(data: unknown): data is AnswerRows {
  return isFields(data) && Array.isArray(data.columns) && Array.isArray(data.rows);
}

function table(items: readonly Fields[]): AnswerRows | null {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const shown = names.filter((name) => items.every((item) => isCell(item[name] ?? null)));
  if (shown.length === 0) return null;
  const cells = (name: string) => items.map((item) => cellOf(item[name]));
  return {
    columns: shown.map((name) => ({ name, type: typeOf(cells(name)) })),
    rows: items.map((item) => shown.map((name) => cellOf(item[name]))),
  };
}

const cellOf = (value: unknown): Cell => (isCell(value) ? value : null);

function typeOf(cells: readonly Cell[]): QueryResult['columns'][number]['type'] {
  const known = cells.filter((cell) => cell !== null);
  if (known.length === 0) return 'text';
  if (known.every((cell) => typeof cell === 'number')) return 'number';
  if (known.every((cell) => typeof cell === 'boolean')) return 'boolean';
  return known.every((cell) => /^\d{4}-\d\d-\d\d$/.test(String(cell))) ? 'date' : 'text';
}
