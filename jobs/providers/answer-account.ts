/** Accounts of a vendor's answers, in which a record counts as a line. */
import type { AccountBook, FileAccount } from './file-account.ts';
import type { UnreadableRow } from './provider.ts';

/** The account of an answer, or of its first part when it comes in several. `path`: the vendor's name of it. */
export function answerAccount(book: AccountBook, path: string): FileAccount {
  return book.get(path) ?? book.open({ path, layout: null, bytes: 0, modifiedMs: 0, firstLine: null, told: [] });
}

/** Rejects a record of a list in its account too. */
export function rejectIn(book: AccountBook, reject: (row: UnreadableRow) => void): (row: UnreadableRow) => void {
  return (row) => {
    book.reject(row.source, row.content, row.reason);
    reject(row);
  };
}
