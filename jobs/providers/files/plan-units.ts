/** Splits a load of files into units. */
import { type Day, formatDay } from '../../../engine/market/dates.ts';
import type { LoadUnit } from '../provider.ts';
import type { SurveyedFile } from './survey.ts';

/** Assumed bytes of a day of minute files, because they are read one by one. */
const MINUTE_DAY_WEIGHT = 1_000_000;

/** Files with overlapping days are in one unit, because a day is committed as a whole. Units that `start` to `end` touches, oldest first. */
export function planUnits(
  files: readonly SurveyedFile[],
  minuteDays: readonly Day[],
  start: Day,
  end: Day,
): LoadUnit[] {
  const spans: { start: Day; end: Day; weight: number; parts: string[] }[] = [];
  for (const { path, bytes, facts } of files) {
    const { days } = facts;
    if (days) spans.push({ start: days[0], end: days[1], weight: Math.max(1, bytes), parts: [path] });
  }
  for (const day of minuteDays) spans.push({ start: day, end: day, weight: MINUTE_DAY_WEIGHT, parts: [] });
  const units: typeof spans = [];
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = units.at(-1);
    if (last && span.start <= last.end) {
      last.end = Math.max(last.end, span.end);
      last.weight += span.weight;
      last.parts.push(...span.parts);
    } else units.push(span);
  }
  return units
    .filter((unit) => unit.end >= start && unit.start <= end)
    .map((unit) => ({
      key: `${formatDay(unit.start)}..${formatDay(unit.end)}`,
      start: Math.max(start, unit.start),
      end: Math.min(end, unit.end),
      isClipped: unit.start < start || unit.end > end,
      weight: unit.weight,
      parts: unit.parts,
    }));
}
