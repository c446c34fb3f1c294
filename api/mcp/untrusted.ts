/** Marks texts that come from data, so that an assistant does not take them for instructions. */
import { isData } from './data.ts';

/** A text that others wrote. */
export interface Untrusted {
  readonly untrusted: true;
  readonly text: string;
}

export const untrusted = (text: string): Untrusted => ({ untrusted: true, text });

const isUntrusted = (value: unknown): value is Untrusted => isData(value) && value.untrusted === true;

/** Members whose texts are names, titles, or notes of companies, accounts, and files. */
const FROM_DATA: ReadonlySet<string> = new Set(['name', 'title', 'note', 'tags', 'streams_named']);

/** An answer with its texts of data marked. */
export function fence(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return FROM_DATA.has(key) ? untrusted(value) : value;
  if (Array.isArray(value)) return value.map((one) => fence(one, key));
  if (!isData(value) || isUntrusted(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fence(part, name)]));
}

/** An answer as text: marked texts stand between tags, which they cannot close. */
export function fencedText(answer: object): string {
  return JSON.stringify(answer, (_, value: unknown) =>
    isUntrusted(value) ? `<untrusted>${value.text.replace(/<(?=\s*\/?\s*untrusted)/gi, '&lt;')}</untrusted>` : value,
  );
}
