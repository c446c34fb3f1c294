/** The lines of a text that an account brings: CSV, and NDJSON. */
import type { FileAccount } from '../providers/file-account.ts';
import { delimiterOf, splitFields } from '../providers/text-chunks.ts';
import { FileRefused, type ReadsLines } from './line-reader.ts';

type TextLayout = 'csv' | 'ndjson';

/** The lines of a text, of which the first one says what it is. */
export class TextLines {
  private readonly account: FileAccount;
  private readonly reader: ReadsLines;
  private readLine: ReadLine | null = null;
  private found: TextLayout = 'csv';

  constructor(account: FileAccount, reader: ReadsLines) {
    this.account = account;
    this.reader = reader;
  }

  get layout(): TextLayout {
    if (this.readLine === null) throw new FileRefused('the file has no lines');
    return this.found;
  }

  /** True when the store is full. */
  read(content: string, line: number): boolean {
    const { account, reader } = this;
    if (content === '' || content.trim() === '') {
      account.blank++;
      return false;
    }
    if (this.readLine !== null) return this.readLine(content, line);
    if (content.trimStart().startsWith('{')) {
      this.found = 'ndjson';
      this.readLine = recordReader(content, account, reader);
      return this.readLine(content, line);
    }
    this.readLine = headerReader(content, account, reader);
    return false;
  }
}

/** Reads a line; true when the store is full. */
type ReadLine = (content: string, line: number) => boolean;

function headerReader(header: string, account: FileAccount, reader: ReadsLines): ReadLine {
  account.header++;
  const delimiter = delimiterOf(header);
  const names = splitFields(header, delimiter);
  if (names === null) throw new FileRefused('the quotes of the first line do not close');
  reader.readHeader(names);
  const width = names.length;
  return (content, line) => {
    const fields = splitFields(content, delimiter);
    if (fields?.length === width) return reader.read(fields, line, content);
    account.reject(line, content, 'unreadable');
    return false;
  };
}

function recordReader(first: string, account: FileAccount, reader: ReadsLines): ReadLine {
  const example = recordOf(first);
  if (example === null) throw new FileRefused('the first line is no JSON object');
  const names = Object.keys(example);
  const { optionalName } = reader;
  if (optionalName !== null && !names.includes(optionalName)) names.push(optionalName);
  reader.readHeader(names);
  const known = new Set(names);
  return (content, line) => {
    const record = recordOf(content);
    for (const name in record)
      if (!known.has(name)) account.tell(`values of ${name} are left out: the first line does not have it`);
    const fields = record && names.map((name) => textOf(record[name]));
    if (fields && !fields.includes(NO_TEXT)) return reader.read(fields, line, content);
    account.reject(line, content, 'unreadable');
    return false;
  };
}

function recordOf(content: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = JSON.parse(content);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** In place of a value that a line of text cannot have. */
const NO_TEXT = '\u0000';

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? NO_TEXT : String(value);
}
