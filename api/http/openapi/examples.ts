/** Answers of the sample market, as they were recorded, for the interface description. */
import { readFileSync } from 'node:fs';

/** By operation and status: `data` of the envelope, or the text of a file. Long lists are shortened. */
export type RecordedAnswers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const RECORDED_ANSWERS = new URL('examples.json', import.meta.url);

const recorded: RecordedAnswers = JSON.parse(readFileSync(RECORDED_ANSWERS, 'utf8'));

/** What an operation answered with a status; undefined where nothing was recorded. */
export function exampleOf(operationId: string, status: number): unknown {
  return recorded[operationId]?.[status];
}
