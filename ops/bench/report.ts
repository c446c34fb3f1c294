/** The rows of the bench: as a table for people, or as one object of numbers. */
import { goalOf, isMet } from './goals.ts';
import type { Figure } from './measure.ts';

/** By the names of their rows, `section.name`. */
export type Figures = ReadonlyMap<string, Figure>;

export function toObject(figures: Figures): Record<string, Record<string, number>> {
  const result: Record<string, Record<string, number>> = {};
  for (const [key, { value }] of figures) {
    const [section, name] = key.split('.');
    result[section] = { ...result[section], [name]: value };
  }
  return result;
}

const percent = (share: number) => `± ${Math.round(50 * share)} %`;

/** Formats the table. The noise column is half of the interquartile range of the rounds. */
export function toTable(figures: Figures): string {
  const row = (...[key, value, noise, goal, met, note]: string[]) =>
    `${key.padEnd(38)} ${value.padStart(8)} ${noise.padStart(7)}  ${goal.padEnd(7)} ${met.padEnd(4)}  ${note}\n`;
  const rows = [...figures].map(([key, { value, noise, note }]) => {
    const goal = goalOf(key);
    const met = goal === null ? '' : isMet(value, goal) ? 'met' : 'MISS';
    return row(key, String(value), noise === null ? '' : percent(noise), goal ?? '', met, note);
  });
  return row('figure', 'value', 'noise', 'goal', '', 'how') + rows.join('');
}
