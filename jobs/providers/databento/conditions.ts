/** The condition of a dataset by day: which days are not complete yet, and when each was last changed. */
import { z } from 'zod';
import { type Day, formatDay, parseDay } from '../../../engine/market/dates.ts';
import type { DatabentoClient } from './client.ts';

export interface DayCondition {
  readonly day: Day;
  /** Whether the vendor still prepares the day. */
  readonly isPending: boolean;
  /** Date (YYYY-MM-DD) of the last change; null: the vendor names none. */
  readonly modifiedOn: string | null;
}

const conditions = z.array(
  z.object({ date: z.string(), condition: z.string(), last_modified_date: z.string().nullish() }),
);

/** The days from `start` to `end` that the dataset has, oldest first. */
export async function dayConditions(
  client: DatabentoClient,
  dataset: string,
  start: Day,
  end: Day,
): Promise<DayCondition[]> {
  const query = { dataset, start_date: formatDay(start), end_date: formatDay(end) };
  const answer = await client.getJson('metadata.get_dataset_condition', query, conditions);
  const known = answer.flatMap(({ date, condition, last_modified_date: modifiedOn }) => {
    const day = parseDay(date);
    return day === null ? [] : [{ day, isPending: condition === 'pending', modifiedOn: modifiedOn ?? null }];
  });
  return known.sort((a, b) => a.day - b.day);
}

/** The version of an answer over some days: the date on which one of them was changed last; undefined: none is named. */
export function newestChange(days: readonly DayCondition[]): string | undefined {
  return days
    .flatMap(({ modifiedOn }) => modifiedOn ?? [])
    .sort()
    .at(-1);
}
