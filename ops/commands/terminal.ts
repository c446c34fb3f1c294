/** Tables, times, progress bars, and questions in a terminal. */
import { createInterface } from 'node:readline/promises';
import { Presets, SingleBar } from 'cli-progress';
import Table from 'cli-table3';

/** A table without lines. */
const chars = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    [side, `${side}-mid`, `${side}-left`, `${side}-right`].map((name) => [name, '']),
  ),
);
const PLAIN = {
  chars: { ...chars, middle: '  ' },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
};

/** Rows in aligned columns; null: an empty cell. */
export function tableOf(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const table = new Table({ ...PLAIN, head: [...head] });
  table.push(...rows.map((row) => row.map((cell) => String(cell ?? '').replaceAll(/\s*\n\s*/g, ' '))));
  return table.toString().replaceAll(/ +$/gm, '');
}

/** 2026-11-20 21:04:17 */
export function timeText(at: Date | null): string {
  return at === null ? '' : at.toISOString().slice(0, 19).replace('T', ' ');
}

const WIDEST = 40;
const NARROWEST = 5;
const USUAL_COLUMNS = 80;

/** Columns of the text of a bar with only a percentage. */
export const PERCENT_COLUMNS = 8;

/** A progress bar that leaves `textColumns` of the terminal to the text of its format. */
export function progressBar(format: string, textColumns: number): SingleBar {
  const { columns = USUAL_COLUMNS } = process.stderr;
  const barsize = Math.max(NARROWEST, Math.min(WIDEST, columns - textColumns));
  return new SingleBar({ format, barsize, clearOnComplete: true }, Presets.shades_classic);
}

/** Whether the operator agrees: by the option --yes (`isAgreed`) or at a prompt. */
export async function confirm(question: string, isAgreed: boolean): Promise<boolean> {
  if (isAgreed) return true;
  if (!process.stdin.isTTY) {
    process.stderr.write(`${question}\nThere is no terminal to ask: use --yes to agree.\n`);
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} (y/N) `)).trim());
  } finally {
    terminal.close();
  }
}
