import Table from 'cli-table3';

const NOTHING = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '' };
const CHARACTERS = {
  ...NOTHING,
  ...{ 'bottom-left': '', 'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '' },
  ...{ 'right-mid': '', middle: '  ' },
};

/** Rows in aligned columns, for people. */
export function tableOf(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const table = new Table({
    head: [...head],
    chars: CHARACTERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell)))));
  return table.toString();
}

/** 2026-11-20 21:04:17 */
export function timeText(at: Date | null): string {
  return at === null ? '' : at.toISOString().slice(0, 19).replace('T', ' ');
}
