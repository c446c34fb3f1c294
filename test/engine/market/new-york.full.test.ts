/** New York's offset on every day of the data, by the runtime's time-zone database and by that of the system. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { dayOf, formatDay, formatNewYork, newYorkDay, newYorkTime } from '../../../engine/market/dates.ts';

const HOUR_MS = 3_600_000;
const FIRST = Date.UTC(1971, 0, 1);
const END = Date.UTC(2028, 0, 1);

const format = new Intl.DateTimeFormat('sv', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'medium',
});
const localTime = (at: number) => format.format(at).replace(' ', 'T');

/** Local times of instants, by the system's time-zone database. */
const ZONEINFO = `
import sys
from datetime import datetime
from zoneinfo import ZoneInfo
zone = ZoneInfo('America/New_York')
for second in range(${FIRST / 1000}, ${END / 1000}, 3600):
    sys.stdout.write(datetime.fromtimestamp(second, zone).isoformat() + '\\n')
`;

function zoneinfoTimes(): string[] | null {
  try {
    return execFileSync('python3', ['-c', ZONEINFO], { encoding: 'utf8', maxBuffer: 2 ** 26 })
      .trim()
      .split('\n');
  } catch {
    return null;
  }
}
const zoneinfo = zoneinfoTimes();
if (!zoneinfo) process.stderr.write('SKIPPED: the zoneinfo of python3 (it is not here)\n');

describe('New York, 1971 to 2027', () => {
  it('has the local time and day of Intl at every noon and midnight of UTC', () => {
    const differing = new Set<string>();
    for (let at = FIRST; at < END; at += 12 * HOUR_MS) {
      const local = localTime(at);
      const lag = (at - Date.parse(`${local}Z`)) / HOUR_MS;
      const isSame = formatNewYork(at) === `${local}-0${lag}:00` && formatDay(newYorkDay(at)) === local.slice(0, 10);
      if (!isSame) differing.add(local.slice(0, 10));
    }
    expect([...differing]).toEqual([]);
  });

  it('opens, closes, and begins every day at the instant that shows that time', () => {
    const differing: string[] = [];
    for (let day = dayOf(1971, 1, 1); day < dayOf(2028, 1, 1); day++) {
      for (const [hour, minute, text] of [
        [0, 0, '00:00:00'],
        [9, 30, '09:30:00'],
        [16, 0, '16:00:00'],
      ] as const) {
        const wanted = `${formatDay(day)}T${text}`;
        if (localTime(newYorkTime(day, hour, minute)) !== wanted) differing.push(wanted);
      }
    }
    expect(differing).toEqual([]);
  });

  (zoneinfo ? it : it.skip)('has the local time and offset of the zoneinfo files at every hour', () => {
    const times = zoneinfo ?? [];
    expect(times).toHaveLength((END - FIRST) / HOUR_MS);
    expect(times.filter((text, hour) => formatNewYork(FIRST + hour * HOUR_MS) !== text)).toEqual([]);
  });

  it('counts the first of two equal hours in fall, and follows a clock that is set forward', () => {
    expect(new Date(newYorkTime(dayOf(2026, 11, 1), 1, 30)).toISOString()).toBe('2026-11-01T05:30:00.000Z');
    expect(new Date(newYorkTime(dayOf(2026, 11, 1), 2)).toISOString()).toBe('2026-11-01T07:00:00.000Z');
    expect(new Date(newYorkTime(dayOf(2026, 3, 8), 3)).toISOString()).toBe('2026-03-08T07:00:00.000Z');
  });
});
