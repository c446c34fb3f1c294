/** Times that jobs wait and run. */
import { unit } from '../text.ts';

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** `3 min`, from seconds: the largest unit that fits. */
export function duration(seconds: number | null): string {
  if (seconds === null) return '–';
  const [size, name] = UNITS.find(([least]) => seconds >= least) ?? UNITS[3];
  return unit(Math.floor(seconds / size), name);
}
