/** The times at which values were known, as files write them. */
import { formatNewYork, MS_PER_DAY, parseDay, requireDay } from '../../engine/market/dates.ts';
import type { KnownAt } from '../../engine/market/known-at.ts';
import { readDay, WITHIN_DAY } from '../providers/files/values.ts';
import { NO_DAY } from '../providers/provider.ts';

const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)? ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/;
const MAX_CACHED = 20_000;
const LONGEST = 40;
const known = new Map<string, KnownAt | null>();

/** A day, or a moment with or without an offset, New York's by default; null when it is none. */
export function readKnownAt(text: string): KnownAt | null {
  let at = known.get(text);
  if (at === undefined) {
    at = parse(text);
    if (text.length > LONGEST) return at;
    if (known.size >= MAX_CACHED) known.clear();
    known.set(Buffer.from(text).toString(), at);
  }
  return at;
}

function parse(text: string): KnownAt | null {
  const day = parseDay(text);
  if (day !== null) return { day, second: null };
  const moment = MOMENT.exec(text);
  if (!moment) {
    const other = readDay(text);
    return other === NO_DAY || other === WITHIN_DAY ? null : { day: other, second: null };
  }
  const [, date, hours, minutes, seconds = '0', fraction = '0', zone] = moment;
  const on = parseDay(date);
  const [hour, minute] = [Number(hours), Number(minutes)];
  if (on === null || hour > 23 || minute > 59 || Number(seconds) > 59) return null;
  // A value of within a second is known at its end.
  const second = Number(seconds) + Math.ceil(Number(`0.${fraction}`));
  const ofDay = hour * 3_600 + minute * 60 + second;
  // Programs write days so, where other rows of the column have times.
  if (zone === undefined && ofDay === 0) return { day: on, second: null };
  if (zone === undefined) return { day: on, second: ofDay };
  return inNewYork(on * MS_PER_DAY + ofDay * 1_000 - offsetMs(zone));
}

function offsetMs(zone: string): number {
  if (zone === 'Z' || zone === 'UTC') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', '') || 0)];
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function inNewYork(ms: number): KnownAt {
  const local = formatNewYork(ms);
  const [hours, minutes, seconds] = local.slice(11, 19).split(':').map(Number);
  return { day: requireDay(local.slice(0, 10)), second: hours * 3_600 + minutes * 60 + seconds };
}
