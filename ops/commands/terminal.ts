/** Tables, times, bars of progress, and questions in the terminal of an operator. */
import ask from '@inquirer/confirm';
import { Presets, SingleBar } from 'cli-progress';
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

const WIDEST = 40;
const NARROWEST = 5;
const USUAL_COLUMNS = 80;

/** Columns of the text of a bar that shows a percentage alone. */
export const PERCENT_COLUMNS = 8;

/** A bar that leaves `textColumns` of the terminal to the text of its format: what does not fit is cut off at the end. */
export function progressBar(format: string, textColumns: number): SingleBar {
  const { columns = USUAL_COLUMNS } = process.stderr;
  const barsize = Math.max(NARROWEST, Math.min(WIDEST, columns - textColumns));
  return new SingleBar({ format, barsize, clearOnComplete: true }, Presets.shades_classic);
}

/** Whether the operator agrees. Without a terminal, only `isGiven` (the option --yes) counts. */
export async function confirm(question: string, isGiven: boolean): Promise<boolean> {
  if (isGiven) return true;
  if (!process.stdin.isTTY) {
    process.stderr.write(`${question}\nNobody can be asked here: give --yes to agree.\n`);
    return false;
  }
  return ask({ message: question, default: false }, { output: process.stderr });
}
