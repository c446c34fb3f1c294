/** Tables and times as the operator's commands print them. */

import Table from 'cli-table3';

/** Columns alone, without lines between them. */
const chars = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    [side, `${side}-mid`, `${side}-left`, `${side}-right`].map((name) => [name, '']),
  ),
);
const PLAIN = {
  chars: { ...chars, middle: '  ' },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
};

/** Rows in aligned columns, for people; null is an empty cell. */
export function tableOf(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const table = new Table({ ...PLAIN, head: [...head] });
  table.push(...rows.map((row) => row.map((cell) => String(cell ?? '').replaceAll(/\s*\n\s*/g, ' '))));
  return table.toString().replaceAll(/ +$/gm, '');
}

/** 2026-11-20 21:04:17 */
export function timeText(at: Date | null): string {
  return at === null ? '' : at.toISOString().slice(0, 19).replace('T', ' ');
}
