/** The question of a run, under the names of the API. */
import { formatDay } from '../../engine/market/dates.ts';
import type { OutcomesSpec } from '../contracts/outcomes.ts';
import { universeView } from '../rotation/report.ts';

const asWritten = (condition: string) => condition;

/** It has symbols instead of what the database has for them. `print`: writes its conditions. */
export function questionOf(spec: OutcomesSpec, print = asWritten) {
  const { universe, where, condition, by, wanted, beginnings, horizons, entry, compare, adjust } = spec;
  const { timeRange, start, end } = spec;
  return {
    universe: universeView({ universe, texts: { where: where === null ? undefined : print(where) } }),
    condition: print(condition),
    by: by && print(by),
    for: wanted?.map(({ symbol }) => symbol) ?? null,
    first: beginnings,
    horizons,
    entry,
    compare,
    adjust,
    time_range: start === null ? timeRange : null,
    start: start === null ? null : formatDay(start),
    end: end === null ? null : formatDay(end),
  };
}
