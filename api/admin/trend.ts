/** Figures per calendar day (UTC). */
import { z } from '../http/input/fields.ts';

export const trendSchema = z.array(z.object({ date: z.iso.date(), value: z.number() })).meta({
  description: 'One entry per day, oldest first, including days with 0',
});

/** The sum of the values of each day; 0 for a day without values. */
export function trendOf(
  days: readonly string[],
  values: readonly { readonly day: string; readonly value: number }[],
): z.input<typeof trendSchema> {
  const perDay = new Map(days.map((day) => [day, 0]));
  for (const { day, value } of values) {
    const sum = perDay.get(day);
    if (sum !== undefined) perDay.set(day, sum + value);
  }
  return [...perDay].map(([date, value]) => ({ date, value }));
}
