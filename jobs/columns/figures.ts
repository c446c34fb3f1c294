/** Digest and figures of the rows of a version, of which the rows of each instrument are added in the order of their ids. */
import { createHash } from 'node:crypto';
import type { ColumnFigures } from '../../db/research/column-writes.ts';
import { KNOWN_AS_DAY, WHOLE_MARKET } from '../../db/research/own-columns.ts';
import { type Day, formatDayCached } from '../../engine/market/dates.ts';
import type { ColumnRows } from '../../engine/market/own-columns.ts';
import { sessionsUpTo } from '../../engine/market/session-index.ts';
import { quotedField } from '../providers/text-chunks.ts';

/** Days after which a value that is sent was known long before. */
const BACKFILLED_DAYS = 7;

/** Dates of a market column whose distances say when its values are stale, and the multiple of their median. */
const STALE = { dates: 20, times: 2.5 } as const;
const HASHED_CHARS = 1024 * 1024;

export class FigureTally {
  private readonly hash = createHash('sha256');
  private readonly labels: readonly string[] | null;
  private readonly sentOn: Day;
  private text = '';
  private rows = 0;
  private symbols = 0;
  private knownLate = 0;
  private backfilled = 0;
  private firstDay = Number.POSITIVE_INFINITY;
  private lastDay = Number.NEGATIVE_INFINITY;
  /** Sessions after which a value of a market column is stale; null: there are too few dates. */
  staleAfter: number | null = null;

  /** `labels` null: the values are numbers. */
  constructor(labels: readonly string[] | null, sentOn: Day) {
    this.labels = labels?.map(quotedField) ?? null;
    this.sentOn = sentOn;
  }

  add(instrumentId: number, rows: ColumnRows): void {
    const { date, knownDay, knownSecond, value } = rows;
    const { labels, sentOn } = this;
    const { length } = date;
    if (length === 0) return;
    for (let i = 0; i < length; i++) {
      if (sessionsUpTo(knownDay[i]) - sessionsUpTo(date[i]) > 1) this.knownLate++;
      if (knownDay[i] < sentOn - BACKFILLED_DAYS) this.backfilled++;
      const written = Number.isNaN(value[i]) ? '' : labels === null ? value[i] : labels[value[i]];
      this.text += `${instrumentId},${formatDayCached(date[i])},${knownText(knownDay[i], knownSecond[i])},${written}\n`;
      if (this.text.length > HASHED_CHARS) this.flush();
    }
    this.rows += length;
    this.symbols += instrumentId === WHOLE_MARKET ? 0 : 1;
    this.firstDay = Math.min(this.firstDay, date[0]);
    this.lastDay = Math.max(this.lastDay, date[length - 1]);
    if (instrumentId === WHOLE_MARKET) this.staleAfter = staleAfter(date);
  }

  private flush(): void {
    this.hash.update(this.text);
    this.text = '';
  }

  end(): ColumnFigures {
    this.flush();
    const { rows, symbols, firstDay, lastDay, knownLate, backfilled, staleAfter } = this;
    const sha256 = this.hash.digest('hex');
    return { rows, symbols, firstDay, lastDay, knownLate, backfilled, staleAfter, sha256 };
  }
}

const times = new Map<number, string>();

function knownText(day: Day, second: number): string {
  if (second === KNOWN_AS_DAY) return formatDayCached(day);
  let time = times.get(second);
  if (time === undefined) {
    const parts = [second / 3_600, (second / 60) % 60, second % 60];
    time = `T${parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')}`;
    times.set(second, time);
  }
  return formatDayCached(day) + time;
}

function staleAfter(date: Int32Array): number | null {
  const sessions: number[] = [];
  for (let i = 0; i < date.length && sessions.length < STALE.dates; i++) {
    if (i === 0 || date[i] !== date[i - 1]) sessions.push(sessionsUpTo(date[i]));
  }
  if (sessions.length < 2) return null;
  const distances = sessions.slice(1).map((session, i) => session - sessions[i]);
  distances.sort((a, b) => a - b);
  const middle = distances.length / 2;
  const median = (distances[Math.floor(middle - 0.5)] + distances[Math.floor(middle)]) / 2;
  return Math.round(STALE.times * median);
}
