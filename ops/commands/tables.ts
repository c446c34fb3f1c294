/** Tables and times as the operator's commands print them. */

const GAP = '  ';

/** Rows in aligned columns, for people; null is an empty cell. */
export function tableOf(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const lines = [head, ...rows].map((row) =>
    row.map((cell) => (cell === null ? '' : String(cell).replaceAll(/\s*\n\s*/g, ' '))),
  );
  const widths = head.map((_, column) => lines.reduce((width, line) => Math.max(width, line[column].length), 0));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i]))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

/** 2026-11-20 21:04:17 */
export function timeText(at: Date | null): string {
  return at === null ? '' : at.toISOString().slice(0, 19).replace('T', ' ');
}
