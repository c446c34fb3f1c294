/** Lines of the files in which the answers of a vendor are kept, and the order in which answers are asked for. */
import { type Day, parseDay } from '../../engine/market/dates.ts';
import { quotedField } from './csv-fields.ts';

export function dayOfLine(line: string | undefined): Day | null {
  return parseDay((line?.split(',')[1] ?? '').slice(0, 10));
}

/** A field of a line: what is neither text nor number is its JSON. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return quotedField(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Does the work for some items at a time; after a failure it begins no further one. `share`: of the items that have begun. */
export async function someAtOnce<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, share: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const take = async () => {
    while (next < items.length) {
      const item = items[next++];
      try {
        await work(item, next / items.length);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, take));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
