/**
 * Accounts of every line of a file: lines = header + blank + loaded + repeated + rejected + left out. The reader counts what it can
 * tell from a line alone, the load what it can tell from the others.
 */
import { createHash } from 'node:crypto';
import type { SourceFile } from '../../db/queue/sync-units.ts';

/** The digest of a file while it is read. */
export class SourceDigest {
  private readonly hash = createHash('sha256');
  private bytes = 0;
  /** The provider's identifier of the version, such as an ETag. */
  version: string | undefined;

  add(chunk: Uint8Array | string): void {
    this.hash.update(chunk);
    this.bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
  }

  /** The file, after it has been read completely. */
  end(name: string): SourceFile {
    const { bytes, version } = this;
    return { name, bytes, sha256: this.hash.digest('hex'), version };
  }
}

export interface RejectedLine {
  readonly line: number;
  /** As it stands in the file. */
  readonly text: string;
  readonly reason: string;
}

/** Reasons that are no fault of the line itself. */
const NOT_MALFORMED: ReadonlySet<string> = new Set(['conflict', 'unknown_instrument']);

/** Rejected lines that an account shows; further ones are only counted. */
const MAX_SHOWN_LINES = 100;
const MAX_SHOWN_CHARS = 1_000;

/** A file with more than this share of malformed lines, and at least so many, is not loaded. */
const MAX_MALFORMED = { share: 0.01, lines: 10 } as const;

export function isTooMalformed(malformed: number, lines: number): boolean {
  return malformed >= MAX_MALFORMED.lines && malformed > lines * MAX_MALFORMED.share;
}

export interface FileIdentity {
  /** Within the folder; a member of an archive is `a.zip!b.csv`. */
  readonly path: string;
  /** Null: the file is not read. */
  readonly layout: string | null;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly firstLine: string | null;
  /** Sentences about what was noticed before its lines were read. */
  readonly told: readonly string[];
}

export class FileAccount {
  readonly file: FileIdentity;
  lines = 0;
  header = 0;
  blank = 0;
  loaded = 0;
  repeated = 0;
  malformed = 0;
  /** Why the file is not loaded; null: it is. */
  reason: string | null = null;
  /** Whether reading it has ended with `reason`, after some of its rows were taken. */
  isBroken = false;
  readonly rejected: Record<string, number> = {};
  readonly leftOut: Record<string, number> = {};
  readonly rejectedLines: RejectedLine[] = [];
  /** Sentences about what the reader assumed or noticed. */
  readonly told: string[] = [];
  /** First and last day of its bars; null: none. */
  days: readonly [number, number] | null = null;
  /** The tickers of its bars or events; null: there are none, or its instruments are those of a list. */
  tickers: readonly string[] | null = null;

  constructor(file: FileIdentity) {
    this.file = file;
  }

  reject(line: number, text: string, reason: string): void {
    this.rejected[reason] = (this.rejected[reason] ?? 0) + 1;
    if (!NOT_MALFORMED.has(reason)) this.malformed++;
    if (this.rejectedLines.length >= MAX_SHOWN_LINES) return;
    this.rejectedLines.push({ line, text: text.slice(0, MAX_SHOWN_CHARS), reason });
  }

  /** Rejects a line that its reader has counted as loaded. `source`: path and line. */
  rejectLoaded(source: string, text: string, reason: string): void {
    this.loaded--;
    this.reject(Number(source.slice(source.lastIndexOf(':') + 1)), text, reason);
  }

  leaveOut(reason: string, lines = 1): void {
    this.leftOut[reason] = (this.leftOut[reason] ?? 0) + lines;
  }

  tell(sentence: string): void {
    if (!this.told.includes(sentence)) this.told.push(sentence);
  }

  /** Its good lines are left out. */
  refuse(reason: string): void {
    this.reason = reason;
    this.leaveOut('file_not_loaded', this.loaded + this.repeated);
    this.loaded = 0;
    this.repeated = 0;
  }

  /** Lines but header and blank ones. */
  get dataLines(): number {
    return this.lines - this.header - this.blank;
  }

  get isTooMalformed(): boolean {
    return isTooMalformed(this.malformed, this.dataLines);
  }

  get rejectedCount(): number {
    return sum(this.rejected);
  }

  get leftOutCount(): number {
    return sum(this.leftOut);
  }

  /** Refuses the file when a line is not accounted for. */
  close(): void {
    const counted = this.header + this.blank + this.loaded + this.repeated + this.rejectedCount + this.leftOutCount;
    if (counted === this.lines) return;
    this.reason = `${this.lines} lines were read and ${counted} are accounted for`;
    this.isBroken = true;
  }
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** The accounts of the files that a job reads. */
export class AccountBook {
  private readonly accounts = new Map<string, FileAccount>();

  /** A new account, in place of an earlier one of the file. */
  open(file: FileIdentity): FileAccount {
    const account = new FileAccount(file);
    for (const sentence of file.told) account.tell(sentence);
    this.accounts.set(file.path, account);
    return account;
  }

  get(path: string): FileAccount | undefined {
    return this.accounts.get(path);
  }

  tell(path: string, sentence: string): void {
    this.accounts.get(path)?.tell(sentence);
  }

  /** Notes what became of a row that its reader has counted as loaded. `source`: path and line. */
  private take(source: string): { account: FileAccount; line: number } | null {
    const at = source.lastIndexOf(':');
    const account = this.accounts.get(source.slice(0, at));
    if (!account) return null;
    account.loaded--;
    return { account, line: Number(source.slice(at + 1)) };
  }

  reject(source: string, text: string, reason: string): void {
    const taken = this.take(source);
    taken?.account.reject(taken.line, text, reason);
  }

  repeat(source: string): void {
    const taken = this.take(source);
    if (taken) taken.account.repeated++;
  }

  leaveOut(source: string, reason: string): void {
    this.take(source)?.account.leaveOut(reason);
  }

  all(): FileAccount[] {
    return [...this.accounts.values()];
  }
}
