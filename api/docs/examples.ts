/** Recorded answers of the sample market, for the interface description. */
import { readFileSync } from 'node:fs';

/** Operation → status → `data` of the envelope, or the text of a file. Long lists are shortened. */
export type RecordedAnswers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const RECORDED_ANSWERS = new URL('examples.json', import.meta.url);

const recorded: RecordedAnswers = JSON.parse(readFileSync(RECORDED_ANSWERS, 'utf8'));

/** The recorded answer of an operation with a status; undefined if there is none. */
export function exampleOf(operationId: string, status: number): unknown {
  return recorded[operationId]?.[status];
}
