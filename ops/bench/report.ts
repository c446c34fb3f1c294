/** The rows of the bench: as a table for people, or as one object of numbers. */
import { goalOf, isMet } from './goals.ts';
import { type Measurement, noiseOf } from './measure.ts';

/** One row of the result, and a note about its measurement. */
export interface Figure {
  /** `section.name` */
  readonly key: string;
  readonly value: number;
  /** Spread of the rounds; null: one round only. */
  readonly noise: number | null;
  readonly note: string;
}

export function figure(key: string, measured: Measurement | number, note: string): Figure {
  const isOne = typeof measured === 'number';
  const value = isOne ? measured : measured.median;
  return { key, value: Number(value.toPrecision(4)), noise: isOne ? null : noiseOf(measured), note };
}

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
  const rows = figures.map(({ key, value, noise, note }) => {
    const goal = goalOf(key);
    const met = goal === null ? '' : isMet(value, goal) ? 'met' : 'MISS';
    return row(key, String(value), noise === null ? '' : percent(noise), goal ?? '', met, note);
  });
  return row('figure', 'value', 'noise', 'goal', '', 'how') + rows.join('');
}
