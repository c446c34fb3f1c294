/** Tables of Markdown. */

/** A cell is one line, and a bar ends it. */
const cellText = (cell: string) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** `numbers`: the columns that are aligned to the right. */
export function table(
  head: readonly string[],
  numbers: ReadonlySet<number>,
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellText).join(' | ')} |`;
  const rule = `|${head.map((_, column) => (numbers.has(column) ? '---:' : '---')).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

export const differenceText = (difference: number) => (difference === 0 ? '0' : difference.toExponential(1));
