/** Reads a file once, to tell what it is: its layout, its days, its symbols. */

import { type Day, newYorkDay, parseDay } from '../../../engine/market/dates.ts';
import { isTradingDay } from '../../../engine/market/faults.ts';
import { NO_DAY } from '../provider.ts';
import { delimiterOf, splitFields } from '../text-chunks.ts';
import { type BarFormat, barFormatOf, barLayoutOf, type HeaderLines, MAX_COLUMN_DECIMALS } from './bar-format.ts';
import { type FileFacts, type Place, unread } from './facts.ts';
import { columnName } from './layouts/index.ts';
import type { BarLayout } from './layouts/layout.ts';
import type { MarketJson } from './market-json.ts';
import { describeLie, type FileStart, packingOf, readFileLines, readStart } from './open-file.ts';
import type { FileChunk, Packing, SourcePath } from './source-path.ts';
import { tickerOfText } from './symbol-text.ts';
import { FIRST_DAY, readDayCached, WITHIN_DAY } from './values.ts';
import { isWide } from './wide.ts';

/** The inputs of a look at a file. */
export interface Look {
  readonly market: MarketJson;
  readonly now: number;
  readonly hasList: boolean;
  /** Bytes of the file that are read at most; absent: all. */
  readonly maxBytes?: number;
}

const MAX_SHOWN_CHARS = 1_000;
const FIRST_LINES = 3;
/** Median of sessions between two bars, from so many steps on, above which a file has no daily bars. */
const MAX_STEP = { sessions: 3, from: 10 } as const;
const OWN_LISTS: Readonly<Record<string, FileFacts['kind']>> = {
  'symbols.csv': 'symbols',
  'adjustments.csv': 'events',
  'official_close.csv': 'closes',
};

export async function examine(file: SourcePath, place: Place, look: Look): Promise<FileFacts> {
  const start = await readStart(file);
  return examineAs(packingOf(start.bytes), file, place, look, start);
}

async function examineAs(
  packing: Packing,
  file: SourcePath,
  place: Place,
  look: Look,
  start: FileStart,
): Promise<FileFacts> {
  const lie = describeLie(file.path, packing === 'wide' ? 'plain' : packing);
  const told = lie === null ? [] : [lie];
  const ownList = OWN_LISTS[file.path.replace(/\.gz$/, '')];
  const isMinutes = place.isMinutes && /\.csv(\.gz)?$/i.test(file.path);
  if (ownList !== undefined || isMinutes) {
    return { ...unread(''), kind: ownList ?? 'minutes', layout: 'own', reason: null, packing, told };
  }
  const chunks = readFileLines(file, packing, undefined, start);
  const { value } = await chunks.next();
  const chunk: FileChunk | undefined = value;
  const first = chunk?.lines.find((line) => line.trim() !== '');
  if (chunk === undefined || first === undefined) return { ...unread('it is empty'), packing };
  if (packing === 'plain' && isWide(chunk.lines)) {
    await chunks.return(undefined);
    return examineAs('wide', file, place, look, start);
  }
  const common = { ...unread('', first.slice(0, MAX_SHOWN_CHARS)), packing, told };
  const delimiter = look.market.delimiter ?? delimiterOf(first);
  const names = splitFields(first, delimiter)?.map(columnName) ?? [];
  const layout = barLayoutOf(names, file.path.split(/[/!]/).at(-1) ?? '', place.isOwn, look.market);
  if (layout === null) return { ...common, reason: 'its first line is the header of no known layout' };
  if (layout.kind !== 'bars') return { ...common, kind: layout.kind, layout: layout.id, reason: null };
  const header = { lines: chunk.lines.slice(0, FIRST_LINES), delimiter, names };
  return examineBars(file, place, look, { chunk, chunks, common, layout, header });
}

interface BarsBegun {
  readonly chunk: FileChunk;
  /** Those after it. */
  readonly chunks: AsyncGenerator<FileChunk>;
  readonly common: FileFacts;
  readonly layout: BarLayout;
  readonly header: HeaderLines;
}

async function examineBars(
  file: SourcePath,
  place: Place,
  look: Look,
  { chunk, chunks, common, layout, header }: BarsBegun,
): Promise<FileFacts> {
  const told = [...common.told];
  const format = barFormatOf(header, layout, file.path, look.market, (sentence) => told.push(sentence));
  if (typeof format === 'string') return { ...common, layout: layout.id, reason: format, told };
  const onlyDay = place.isOwn ? dayOfName(file.path) : null;
  const bars = {
    ...common,
    told,
    kind: 'bars',
    layout: layout.id,
    format,
    ...(onlyDay === null ? {} : { onlyDay }),
  } as const;
  if (onlyDay !== null && layout.id === 'own' && look.hasList) {
    await chunks.return(undefined);
    return { ...bars, reason: null, days: isTradingDay(onlyDay) ? [onlyDay, onlyDay] : null };
  }
  const result = await scan(new BarScan(format, layout, look), chunk, chunks, look.maxBytes).then((all) =>
    all.result(onlyDay),
  );
  return { ...bars, ...result, told: [...told, ...result.told] };
}

async function scan(
  all: BarScan,
  first: FileChunk,
  chunks: AsyncIterable<FileChunk>,
  maxBytes = Infinity,
): Promise<BarScan> {
  all.add(first);
  for await (const next of chunks) {
    if (next.bytesRead > maxBytes) break;
    all.add(next);
  }
  return all;
}

/** The day that a file name such as `2026-11-20.csv.gz` names; null: none. */
export function dayOfName(path: string): Day | null {
  return parseDay((path.split('/').at(-1) ?? '').replace(/\.csv(\.gz)?$/i, ''));
}

/** The field of a line at a position, without splitting the line where it has no quote. */
function fieldAt(line: string, delimiter: string, position: number): string | undefined {
  if (line.includes('"')) return splitFields(line, delimiter)?.[position];
  let from = 0;
  for (let i = 0; i < position; i++) {
    from = line.indexOf(delimiter, from) + 1;
    if (from === 0) return undefined;
  }
  const end = line.indexOf(delimiter, from);
  return end === -1 ? line.slice(from) : line.slice(from, end);
}

const SLASHED = /^\s*(\d{1,2})\/(\d{1,2})\//;

/** Finds out what all lines together tell. */
class BarScan {
  private readonly format: BarFormat;
  private readonly layout: BarLayout;
  private readonly today: Day;
  private readonly wantsTickers: boolean;
  private readonly days = new Map<string, Day>();
  private readonly tickers = new Map<string, string | null>();
  private lines = 0;
  private withinDay = 0;
  private hasPoint = false;
  private hasComma = false;
  private readonly decimals = [0, 0, 0, 0];
  private ambiguous = 0;
  private clearlySlashed = 0;

  constructor(format: BarFormat, layout: BarLayout, { now, hasList }: Look) {
    this.format = format;
    this.layout = layout;
    this.today = newYorkDay(now);
    this.wantsTickers = layout.id !== 'own' || !hasList;
  }

  add({ lines, line: first, broken }: FileChunk): void {
    const { delimiter, at, headerLines, ticker } = this.format;
    for (let i = Math.max(0, headerLines + 1 - first); i < lines.length; i++) {
      const line = lines[i];
      const date = fieldAt(line, delimiter, at.date);
      if (date === undefined || broken?.has(i)) continue;
      this.lines++;
      let day = this.days.get(date);
      if (day === undefined) {
        day = readDayCached(date, this.format.dateForm);
        this.days.set(date, day);
        this.noteDateForm(date);
      }
      if (day === WITHIN_DAY) this.withinDay++;
      if (delimiter !== ',' || this.layout.hasNanoPrices) this.noteNumber(fieldAt(line, delimiter, at.close) ?? '');
      if (this.layout.prices === 'split_adjusted' || this.format.closeAsTradedAt !== -1) this.noteDecimals(line);
      if (this.wantsTickers && ticker === null) this.noteTicker(fieldAt(line, delimiter, at.symbol));
    }
  }

  private noteDateForm(date: string): void {
    const parts = date.includes('/') ? SLASHED.exec(date) : null;
    if (!parts) return;
    if (Number(parts[1]) > 12 || Number(parts[2]) > 12) this.clearlySlashed++;
    else this.ambiguous++;
  }

  private noteNumber(text: string): void {
    this.hasPoint ||= text.includes('.');
    this.hasComma ||= text.includes(',');
  }

  private noteDecimals(line: string): void {
    const { at, delimiter } = this.format;
    const fields = splitFields(line, delimiter);
    for (const [i, position] of [at.open, at.high, at.low, at.close].entries()) {
      const text = fields?.[position]?.trim() ?? '';
      const point = text.indexOf('.');
      if (point !== -1) this.decimals[i] = Math.max(this.decimals[i], text.length - point - 1);
    }
  }

  private noteTicker(text: string | undefined): void {
    if (text !== undefined && !this.tickers.has(text)) this.tickers.set(text, tickerOfText(text));
  }

  result(
    onlyDay: Day | null,
  ): Pick<FileFacts, 'reason' | 'days' | 'tickers' | 'format' | 'isDated' | 'told'> & { kind: 'bars' | null } {
    const { delimiter, ticker } = this.format;
    const sessions = [...new Set(this.days.values())]
      .filter((day) => day >= FIRST_DAY && day !== NO_DAY && isTradingDay(day))
      .sort((a, b) => a - b);
    const past = sessions.filter((day) => day <= this.today && (onlyDay === null || day === onlyDay));
    const isComma = delimiter !== ',' && this.hasComma && !this.hasPoint && this.format.decimal === '.';
    const isNano = this.layout.hasNanoPrices === true && !this.hasPoint;
    const format = {
      ...this.format,
      decimal: isComma ? (',' as const) : this.format.decimal,
      scale: isNano ? 1e-9 : 1,
      decimals: this.decimals.map((count) => (count > 10 ? MAX_COLUMN_DECIMALS : count)),
    };
    const tickers = ticker !== null ? [ticker] : [...new Set([...this.tickers.values()].filter((one) => one !== null))];
    const told: string[] = [];
    if (
      this.ambiguous > 0 &&
      this.clearlySlashed === 0 &&
      this.format.dateForm === undefined &&
      this.layout.id !== 'nasdaq'
    )
      told.push('days such as 03/04/2024 were read as month/day/year');
    const reason = this.refusal(sessions);
    const common = { format, tickers, told, isDated: past.length < sessions.length };
    if (reason !== null) return { ...common, kind: null, reason, days: null };
    return { ...common, kind: 'bars', reason: null, days: past.length > 0 ? [past[0], past[past.length - 1]] : null };
  }

  private refusal(sessions: readonly Day[]): string | null {
    if (this.withinDay >= 10 && this.withinDay > this.lines * 0.01) return 'its lines are bars within a day: minutes';
    if (this.layout.id === 'own' || sessions.length <= MAX_STEP.from) return null;
    const steps = sessions
      .slice(1)
      .map((day, i) => sessionsBetweenCount(sessions[i], day))
      .sort((a, b) => a - b);
    return steps[steps.length >> 1] > MAX_STEP.sessions ? 'its bars are weekly or monthly' : null;
  }
}

function sessionsBetweenCount(from: Day, to: Day): number {
  let count = 0;
  for (let day = from + 1; day <= to; day++) if (isTradingDay(day)) count++;
  return count;
}
