/** The account of the lines of a file, as results have it. */
import type { LineAccount } from '../contracts/columns.ts';
import type { FileAccount } from '../providers/file-account.ts';

export function lineAccountOf(account: FileAccount, layout: string): LineAccount {
  const { lines, header, blank, loaded, repeated, rejectedCount: rejected, leftOutCount: left_out } = account;
  return {
    layout,
    lines,
    header,
    blank,
    loaded,
    repeated,
    rejected,
    left_out,
    by_reason: { ...account.rejected, ...account.leftOut },
    rejected_lines: account.rejectedLines,
    told: account.told,
  };
}
