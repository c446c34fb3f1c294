/** Formats the figures as a table for people or as one object of numbers. */
import { type Figure, isMet } from './harness.ts';

export function toObject(figures: readonly Figure[]): Record<string, Record<string, number>> {
  const result: Record<string, Record<string, number>> = {};
  for (const { key, value } of figures) {
    const [section, name] = key.split('.');
    result[section] = { ...result[section], [name]: value };
  }
  return result;
}

const percent = (share: number) => `± ${Math.round(50 * share)} %`;

/** Formats the table. The noise column is half of the interquartile range of the rounds. */
export function toTable(figures: readonly Figure[]): string {
  const row = (...[key, value, noise, goal, met, note]: string[]) =>
    `${key.padEnd(38)} ${value.padStart(8)} ${noise.padStart(7)}  ${goal.padEnd(7)} ${met.padEnd(4)}  ${note}\n`;
  const rows = figures.map((one) => {
    const met = one.goal === '' ? '' : isMet(one) ? 'met' : 'MISS';
    return row(one.key, String(one.value), one.noise === null ? '' : percent(one.noise), one.goal, met, one.note);
  });
  return row('figure', 'value', 'noise', 'goal', '', 'how') + rows.join('');
}
