/** The values of own columns, as pandas finds them with `merge_asof`. */
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { valuesOn } from '../../../engine/market/own-columns.ts';
import { columnOf, type MadeRow } from '../../support/own-columns.ts';
import { openPythonEnvironment, type PythonEnvironment, PythonUnavailable } from '../../support/python-environment.ts';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const CASES = 200;
const SESSIONS = sessionsBetween(requireDay('2023-01-03'), requireDay('2024-12-31'));

let python: PythonEnvironment | null = null;
beforeAll(async () => {
  try {
    const requirements = pathOf('../rotation/oracles/requirements.txt');
    python = await openPythonEnvironment(requirements, { progress: () => {} });
  } catch (error) {
    if (!(error instanceof PythonUnavailable)) throw error;
    process.stderr.write(`SKIPPED: values of own columns beside pandas: ${error.message}\n`);
  }
});

/** A row about a day, seen at the same session or up to half a year later. */
const row = fc
  .tuple(fc.nat(SESSIONS.length - 1), fc.nat(120), fc.integer({ min: -1_000, max: 1_000 }))
  .map(([date, later, value]): MadeRow => {
    const seen = SESSIONS[Math.min(date + later, SESSIONS.length - 1)];
    return [formatDay(SESSIONS[date]), formatDay(seen), value / 8];
  });
const byDate = ([a, b]: MadeRow, [c, d]: MadeRow) => (a === c ? (b < d ? -1 : b > d ? 1 : 0) : a < c ? -1 : 1);

it('are those of the newest date that is known', async () => {
  const columns = fc.sample(
    fc.array(row, { maxLength: 60 }).map((rows) => rows.toSorted(byDate)),
    { numRuns: CASES, seed: 20_260_601 },
  );
  if (python === null) return;
  const days = Int32Array.from(SESSIONS);
  const request = columns.map((rows) => ({
    rows: rows.map(([date, seen, value]) => [requireDay(date), requireDay(seen), value]),
    sessions: SESSIONS,
  }));
  const answers: readonly (readonly (number | null)[])[] = await python.run(pathOf('oracles/own-columns.py'), request);
  let defined = 0;
  for (const [i, rows] of columns.entries()) {
    const found = valuesOn(columnOf(rows), { day: days, adjustedFor: [] });
    expect(Array.from(found, (value) => (Number.isNaN(value) ? null : value))).toEqual(answers[i]);
    defined += found.filter((value) => !Number.isNaN(value)).length;
  }
  expect(defined).toBeGreaterThan(CASES * 100);
});
