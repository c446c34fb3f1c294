/** Records what became of every line of the files that a job has read, and of files that it has refused. */
import { type Connection, transaction } from '../../db/pool.ts';
import { insertFileReadings, selectReadFiles } from '../../db/queue/file-readings.ts';
import type { RejectedByReason, RejectedRow } from '../../db/queue/sync-units.ts';
import { UNKNOWN_INSTRUMENT } from '../../engine/market/faults.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { PermanentFailure } from '../contracts/job-context.ts';
import { type AccountBook, FileAccount } from '../providers/file-account.ts';
import type { SyncContext } from './run.ts';

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

/** Files that the error of a job lists. */
const MAX_NAMED = 5;

export async function saveAccounts(
  connection: Connection,
  syncJobId: number,
  accounts: readonly FileAccount[],
): Promise<void> {
  const readings = accounts.map((account) => {
    account.close();
    const { file, lines, header, blank, loaded, repeated, reason, rejectedLines, told, days, tickers } = account;
    const { told: _, ...identity } = file;
    return {
      ...identity,
      lines,
      header,
      blank,
      loaded,
      repeated,
      reason,
      rejectedLines,
      told,
      days,
      tickers,
      rejected: account.rejectedCount,
      leftOut: account.leftOutCount,
      byReason: { ...account.rejected, ...account.leftOut },
    };
  });
  await insertFileReadings(connection, syncJobId, readings);
}

/** The files that could not be loaded, for operators; null: all were. */
export function describeAccounts(accounts: readonly FileAccount[]): string | null {
  const refused = accounts.filter(({ reason }) => reason !== null);
  if (refused.length === 0) return null;
  const named = refused
    .slice(0, MAX_NAMED)
    .map(({ file, reason }) => `${file.path}: ${withoutPath(reason ?? '', file.path)}`);
  const more = refused.length > MAX_NAMED ? ` and ${refused.length - MAX_NAMED} more` : '';
  return `not loaded: ${named.join(', ')}${more}`;
}

const withoutPath = (text: string, path: string) =>
  text.startsWith(`${path}:`) ? `line ${text.slice(path.length + 1)}` : text;

/** Rejected lines by reason, with those of files that were refused. */
export function sumRejected(rejected: RejectedByReason, refused: readonly FileAccount[]): RejectedByReason {
  const sum: Record<string, number> = { ...rejected };
  for (const account of refused) {
    for (const [reason, count] of Object.entries(account.rejected)) sum[reason] = (sum[reason] ?? 0) + count;
  }
  return sum;
}

/** The rejected lines of files that were refused. */
export function rejectedRowsOf(refused: readonly FileAccount[], venueBasis: VenueBasis): RejectedRow[] {
  return refused.flatMap(({ file, rejectedLines }) =>
    rejectedLines.map(({ line, text, reason }) => ({
      venueBasis: VENUE_BASIS_CODE[venueBasis],
      reason,
      source: `${file.path}:${line}`,
      content: text,
    })),
  );
}

/** Throws when a line is rejected that may stand for a bar or an event that is served: it could not be told from what vanished. */
export function assertWhole(accounts: readonly FileAccount[]): void {
  for (const { file, reason, rejected } of accounts) {
    const why = reason ?? Object.keys(rejected).find((one) => one !== UNKNOWN_INSTRUMENT);
    if (why !== undefined) throw new PermanentFailure(`nothing is forgotten: mend ${file.path} first (${why})`);
  }
}

/** Records the files that no load reads, and those that are gone. */
export async function saveUnreadFiles({
  pool,
  provider,
  job,
}: Pick<SyncContext, 'pool' | 'provider' | 'job'>): Promise<void> {
  if (!provider.unreadFiles) return;
  const unread = await provider.unreadFiles();
  const there = new Set((await provider.filePaths?.()) ?? []);
  const gone = [...(await selectReadFiles(pool)).keys()].filter(
    (path) => !there.has(path) && !unread.some(({ file }) => file.path === path),
  );
  const accounts = gone.map((path) => {
    const account = new FileAccount({ path, layout: null, bytes: 0, modifiedMs: 0, firstLine: null, told: [] });
    account.reason = 'it is gone; what was loaded from it is kept';
    return account;
  });
  await transaction(pool, (connection) => saveAccounts(connection, job.id, [...unread, ...accounts]));
}

/** Records the accounts of a list that a job has read. */
export async function saveBook(connection: Connection, syncJobId: number, book: AccountBook): Promise<void> {
  await saveAccounts(connection, syncJobId, book.all());
}
