/** Bars of progress on a terminal. */
import { Presets, SingleBar } from 'cli-progress';

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
