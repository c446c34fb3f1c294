import { number } from './text.ts';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `12.3 MB`. */
export function fileSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${number(bytes / 1000 ** power, 1)} ${UNITS[power]}`;
}
