/** Reads the file of a record: its rows by day, with the account of its lines and what they leave to say. */
import type { JudgeNote } from '../../engine/judge/doubts.ts';
import type { RecordColumn } from '../../engine/judge/streams.ts';
import type { TradeFigures } from '../../engine/tear-sheet/trades.ts';
import { lineAccountOf } from '../columns/account.ts';
import { FileCount } from '../columns/bounds.ts';
import { FileRefused } from '../columns/line-reader.ts';
import { readColumnFile } from '../columns/read-file.ts';
import type { UploadedFile } from '../columns/upload.ts';
import type { LineAccount } from '../contracts/columns.ts';
import type { JudgeSpec } from '../contracts/judge.ts';
import { FileAccount } from '../providers/file-account.ts';
import { RecordReader } from './record-reader.ts';
import { TradesReader } from './trades-reader.ts';

export interface ReadRecord {
  readonly days: Int32Array;
  readonly columns: readonly RecordColumn[];
  readonly account: LineAccount;
  readonly notes: readonly JudgeNote[];
  /** Null unless its lines are trades that tell their returns. */
  readonly trades: TradeFigures | null;
}

/** Rejected lines that a refusal shows. */
const SHOWN = 3;

/** Throws `FileRefused` and `OverQuota`. */
export async function readRecord(
  { path, report }: Pick<UploadedFile, 'path' | 'report'>,
  { form, quota }: Pick<JudgeSpec, 'form' | 'quota'>,
): Promise<ReadRecord> {
  const account = new FileAccount({ path, layout: null, bytes: 0, modifiedMs: 0, firstLine: null, told: [] });
  const max = quota.values;
  const reader =
    form === 'trades'
      ? new TradesReader(account, max)
      : new RecordReader(account, { isEquity: form === 'equity', max });
  const count = new FileCount({ name: 'judge_values_max', max });
  const layout = await readColumnFile(path, { account, reader, report, count, flush: async () => {} });
  assertLoadable(account);
  return { trades: null, ...reader.record(), account: lineAccountOf(account, layout), notes: notesOn(reader, account) };
}

function assertLoadable(account: FileAccount): void {
  const { malformed, dataLines, rejectedLines } = account;
  const shown = rejectedLines.slice(0, SHOWN).map(({ line, reason, text }) => `line ${line} (${reason}): ${text}`);
  if (account.isTooMalformed)
    throw new FileRefused(`${malformed} of ${dataLines} lines cannot be read: ${shown.join('; ')}`);
  if (account.loaded > 0) return;
  const because = shown.length === 0 ? '' : `: ${shown.join('; ')}`;
  throw new FileRefused(`no line of ${dataLines} has a day and a value${because}`);
}

function notesOn(reader: RecordReader | TradesReader, account: FileAccount): JudgeNote[] {
  if (reader instanceof TradesReader) {
    const realized: JudgeNote = { code: 'realized_only', details: {} };
    return reader.closed > 0 ? [realized, { code: 'no_session', details: { rows: reader.closed } }] : [realized];
  }
  const { conflict = 0 } = account.rejected;
  const lines = account.repeated + conflict;
  return lines > 0 ? [{ code: 'duplicates', details: { rows: lines, conflicts: conflict } }] : [];
}
