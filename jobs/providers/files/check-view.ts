/** The check of a folder, as it is printed and served. */
import { type Day, formatDay } from '../../../engine/market/dates.ts';
import type { FileAccount } from '../file-account.ts';
import type { FolderCheck } from './check-folder.ts';

/** Files that cannot be used, each with the reason and its first line, one a line. */
export function describeUnusable({ files }: FolderCheck, limit = 20): string {
  const unusable = files.filter(({ reason, loaded }) => reason !== null || loaded === 0);
  const lines = unusable.slice(0, limit).map(({ file, reason, rejectedLines: [line] }) => {
    const why = reason ?? (line ? `no line can be loaded; line ${line.line} is ${line.reason}` : 'it has no bar');
    return `  ${file.path}: ${why}${file.firstLine === null ? '' : ` (first line: ${file.firstLine.slice(0, 80)})`}`;
  });
  const more = unusable.length > limit ? [`  and ${unusable.length - limit} more`] : [];
  return [...lines, ...more].join('\n');
}

/** The check as `--json` prints it. */
export function checkView(check: FolderCheck) {
  const day = (value: Day | null) => (value === null ? null : formatDay(value));
  const { layouts } = check;
  const prices = new Set(layouts.map((one) => one.prices).filter((one) => one !== null));
  const symbols = new Set(layouts.flatMap((one) => [...one.symbols]));
  const days = (pick: 'first' | 'last') => layouts.map((one) => one[pick]).filter((one) => one !== null);
  return {
    ok: check.ok,
    estimated: check.estimated,
    market: {
      prices: prices.size > 1 ? ('mixed' as const) : ([...prices][0] ?? null),
      consolidated_from: day(check.consolidatedFrom),
      first: day(days('first').length > 0 ? Math.min(...days('first')) : null),
      last: day(days('last').length > 0 ? Math.max(...days('last')) : null),
      symbols: symbols.size,
    },
    layouts: layouts.map((one) => ({ ...one, symbols: one.symbols.size, first: day(one.first), last: day(one.last) })),
    missing: [...check.missing],
    suggest: { 'market.json': check.suggest },
    files: check.files.map(accountView),
  };
}

/** An account as `--json` prints it. */
function accountView(account: FileAccount) {
  const { file, lines, header, blank, loaded, repeated, reason, told } = account;
  return {
    path: file.path,
    layout: file.layout,
    lines,
    header,
    blank,
    loaded,
    repeated,
    rejected: account.rejectedCount,
    left_out: account.leftOutCount,
    reason,
    first_line: file.firstLine,
    by_reason: { ...account.rejected, ...account.leftOut },
    rejected_lines: account.rejectedLines,
    told,
  };
}
