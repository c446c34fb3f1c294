import type { AccountBook, FileAccount } from '../providers/file-account.ts';

/** Files that cannot be loaded, of which rows were copied already: the unit is loaded again without them. */
export class RefusedFiles extends Error {
  override readonly name = 'RefusedFiles';
  readonly accounts: readonly FileAccount[];

  private constructor(accounts: readonly FileAccount[]) {
    super(accounts.map(({ file, reason }) => `${file.path}: ${reason}`).join(' | '));
    this.accounts = accounts;
  }

  /** Throws when a file of the book was broken, or has too many malformed lines. Answers of vendors are judged with their unit. */
  static check(book: AccountBook, keepsAccounts: boolean): void {
    const judged = keepsAccounts ? book.all() : [];
    const refused = judged.filter((account) => account.reason === null && account.isTooMalformed);
    for (const account of refused) {
      account.refuse(`${account.malformed} of ${account.dataLines} lines are malformed (more than 1 %)`);
    }
    for (const account of book.all()) account.close();
    const broken = judged.filter((account) => account.isBroken);
    for (const account of broken) account.refuse(account.reason ?? 'it cannot be read');
    const all = [...refused, ...broken];
    if (all.length > 0) throw new RefusedFiles(all);
  }
}
