/** The usage of an account by day and by endpoint. */
import { selectUsage } from '../../db/log/access-records.ts';
import { type Day, formatDay, MS_PER_DAY } from '../../engine/market/dates.ts';
import type { z } from '../http/input/fields.ts';
import type { usageSchema } from './schemas.ts';
import type { Services } from './services.ts';

/** The last `days` days as YYYY-MM-DD, oldest first, today (UTC) included. */
export function lastDays(now: number, days: number): string[] {
  const today: Day = Math.floor(now / MS_PER_DAY);
  return Array.from({ length: days }, (_, i) => formatDay(today - days + 1 + i));
}

/** Calls of the last `days` UTC days, today included. Days without calls have 0. */
export async function usageOf(services: Services, userId: number, days: number): Promise<z.input<typeof usageSchema>> {
  const { pool, accessLog, now } = services;
  await accessLog.caughtUp();
  const dates = lastDays(now(), days);
  const rows = await selectUsage(pool, userId, dates[0]);
  const perDay = new Map<string, number>(dates.map((date) => [date, 0]));
  const perEndpoint = new Map<string, number>();
  for (const { day, endpoint, calls } of rows) {
    if (!perDay.has(day)) continue;
    perDay.set(day, (perDay.get(day) ?? 0) + calls);
    perEndpoint.set(endpoint, (perEndpoint.get(endpoint) ?? 0) + calls);
  }
  return {
    days,
    total: [...perDay.values()].reduce((sum, calls) => sum + calls, 0),
    by_day: [...perDay].map(([date, calls]) => ({ date, calls })),
    by_endpoint: [...perEndpoint]
      .map(([endpoint, calls]) => ({ endpoint, calls }))
      .sort((a, b) => b.calls - a.calls || (a.endpoint < b.endpoint ? -1 : 1)),
  };
}
