/** Records of lists: instruments, events, closes, minutes. Every line goes into the account of the file. */
import { fromKeys } from '../../../engine/util/values.ts';
import type { FileAccount } from '../file-account.ts';
import { ProviderError, type UnreadableRow } from '../provider.ts';
import { columnsOf, delimiterOf, splitFields } from '../text-chunks.ts';
import { columnName } from './layouts/index.ts';
import { readFileLines } from './open-file.ts';
import type { SurveyedFile } from './survey.ts';

export interface ListRecord<N extends string> {
  /** Trimmed fields; a missing column is empty. */
  readonly fields: Readonly<Record<N, string>>;
  /** Path and line. */
  readonly source: string;
  /** The line as it stands in the file. */
  readonly content: string;
}

export interface RecordColumns<N extends string> {
  readonly names: readonly N[];
  readonly required: readonly N[];
  /** A last line that is no row. */
  readonly trailer?: RegExp;
}

export type Reject = (row: UnreadableRow) => void;

/** The records of a file with a header line. A file that cannot be read is refused in its account, and has no further records. */
export async function* readRecords<const N extends string>(
  file: SurveyedFile,
  columns: RecordColumns<N>,
  account: FileAccount,
  reject: Reject,
): AsyncGenerator<ListRecord<N>> {
  const reader = new RecordReader(file.path, columns, account, reject);
  try {
    for await (const { lines, line: first } of readFileLines(file, file.facts.packing)) {
      account.lines += lines.length;
      for (const [i, content] of lines.entries()) {
        const record = reader.read(content, first + i);
        if (record) yield record;
      }
    }
    reader.requireHeader();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const counted = account.loaded + account.rejectedCount + account.leftOutCount;
    account.leaveOut('file_not_loaded', account.dataLines - counted);
    account.reason = error.message;
  }
}

class RecordReader<N extends string> {
  private readonly path: string;
  private readonly columns: RecordColumns<N>;
  private readonly account: FileAccount;
  private readonly reject: Reject;
  private at: Readonly<Record<N, number>> | null = null;
  private delimiter = ',';
  private width = 0;

  constructor(path: string, columns: RecordColumns<N>, account: FileAccount, reject: Reject) {
    this.path = path;
    this.columns = columns;
    this.account = account;
    this.reject = reject;
  }

  requireHeader(): void {
    if (this.at === null) columnsOf([], this.columns.names, this.path, this.columns.required);
  }

  /** The record of a line; null: it has none. */
  read(content: string, line: number): ListRecord<N> | null {
    const { account, at, delimiter, columns } = this;
    if (content.trim() === '') account.blank++;
    else if (at === null) this.readHeader(content);
    else if (columns.trailer?.test(content)) account.leaveOut('trailer');
    else {
      const values = splitFields(content, delimiter);
      const source = `${this.path}:${line}`;
      if (values?.length === this.width) {
        account.loaded++;
        return { fields: fromKeys(columns.names, (name) => (values[at[name]] ?? '').trim()), source, content };
      }
      account.reject(line, content, 'unreadable');
      this.reject({ source, content, reason: 'unreadable' });
    }
    return null;
  }

  private readHeader(content: string): void {
    const { names, required } = this.columns;
    this.account.header++;
    this.delimiter = delimiterOf(content);
    const header = splitFields(content, this.delimiter)?.map(columnName) ?? [];
    this.at = columnsOf(header, names, this.path, required);
    this.width = header.length;
    tellUnknown(this.account, header, names);
  }
}

function tellUnknown(account: FileAccount, header: readonly string[], names: readonly string[]): void {
  const unknown = header.filter((name) => !names.includes(name) && name !== '');
  if (unknown.length > 0) account.tell(`unknown columns: ${unknown.join(', ')}`);
}
