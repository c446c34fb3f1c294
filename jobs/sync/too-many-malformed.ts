import type { RejectedByReason, RejectedRow } from '../../db/queue/sync-units.ts';
import { UNKNOWN_INSTRUMENT } from '../../engine/market/bar-faults.ts';
import type { FileAccount } from '../providers/file-account.ts';

/** A unit has too many malformed rows to be loaded. Rows of unknown instruments do not count as malformed. */
export class TooManyMalformed extends Error {
  override readonly name = 'TooManyMalformed';
  readonly rejected: RejectedByReason;
  readonly rejections: readonly RejectedRow[];
  /** Accounts of what was read, as refused. */
  readonly accounts: readonly FileAccount[];

  constructor(
    malformed: number,
    total: number,
    rejected: RejectedByReason,
    rejections: readonly RejectedRow[],
    accounts: readonly FileAccount[],
  ) {
    const first = rejections.find(({ reason }) => reason !== UNKNOWN_INSTRUMENT);
    const at = first ? `, the first at ${first.source}: ${first.reason}` : '';
    super(describeMalformed(malformed, total) + at);
    this.rejected = rejected;
    this.rejections = rejections;
    this.accounts = accounts;
    for (const account of accounts) account.refuse(this.message);
  }
}

export function describeMalformed(malformed: number, total: number): string {
  return `${malformed} of ${total} rows are malformed (${((100 * malformed) / total).toFixed(1)} %, more than 1 %)`;
}
