/**
 * Files of one source from two days: adjusted prices of an older one differ from those of a newer one by one ratio, because events since
 * have changed all of them. The newer one counts; days that only the older one has are put on its basis.
 */
import type { Day } from '../../../engine/market/dates.ts';
import { AccountBook } from '../file-account.ts';
import type { Vintage } from './bar-file.ts';
import { hasEvents, loadedPrices, tickersOfTwoForms } from './folder-state.ts';
import { readCloses } from './open-bars.ts';
import type { SurveyedFile } from './survey.ts';
import { readInstruments } from './symbol-lists.ts';

const SHARED_DAYS = 5;
const SAME_RATIO = 0.002;

/** Older files by path, then by ticker. */
type Vintages = ReadonlyMap<string, ReadonlyMap<string, Vintage>>;

type Closes = ReadonlyMap<string, ReadonlyMap<Day, number>>;

/** How the files of a survey relate to each other. */
export interface FileRelations {
  readonly files: readonly SurveyedFile[];
  /** Tickers with prices of two forms. */
  readonly mixed: ReadonlySet<string>;
  readonly vintages: Vintages;
  /** Tickers of the lists; null: there is no list. */
  readonly listed: ReadonlySet<string> | null;
}

export async function relationsOf(files: readonly SurveyedFile[], today: Day): Promise<FileRelations> {
  const [mixed, vintages] = [await tickersOfTwoForms(files), await findVintages(files, today)];
  return { files, mixed, vintages, listed: await listedTickers(files) };
}

async function listedTickers(files: readonly SurveyedFile[]): Promise<ReadonlySet<string> | null> {
  const lists = files.filter(({ facts }) => facts.kind === 'symbols');
  if (lists.length === 0) return null;
  const instruments = await readInstruments(lists, new AccountBook(), () => {});
  return new Set(
    instruments.flatMap(({ ticker, previousTickers }) => [ticker, ...previousTickers.map((one) => one.ticker)]),
  );
}

async function findVintages(files: readonly SurveyedFile[], today: Day): Promise<Vintages> {
  const found = new Map<string, Map<string, Vintage>>();
  const closes = new Map<string, Closes>();
  const read = async (file: SurveyedFile, ticker: string) => {
    const known = closes.get(file.path) ?? (await closesOf(file, today));
    closes.set(file.path, known);
    return known.get(ticker) ?? new Map<Day, number>();
  };
  for (const [ticker, [newest, ...older]] of keptByTicker(files)) {
    for (const file of older.filter((one) => mayShare(one, newest))) {
      const days = await read(newest, ticker);
      const ratio = ratioOf(days, await read(file, ticker));
      if (ratio === null) continue;
      const known = found.get(file.path) ?? new Map<string, Vintage>();
      found.set(file.path, known.set(ticker, { newer: newest.path, ratio, days: new Set(days.keys()) }));
    }
  }
  return found;
}

/** Files whose prices stay adjusted, by form and ticker, the newest first. */
function keptByTicker(files: readonly SurveyedFile[]): [ticker: string, group: SurveyedFile[]][] {
  const areKnown = hasEvents(files);
  const groups = new Map<string, [string, SurveyedFile[]]>();
  for (const file of files) {
    const { kind, format, tickers } = file.facts;
    const form = kind === 'bars' && format ? loadedPrices(format, areKnown) : 'as_traded';
    if (form !== 'split_adjusted' && form !== 'total_adjusted') continue;
    for (const ticker of tickers) {
      const known = groups.get(`${form} ${ticker}`);
      if (known) known[1].push(file);
      else groups.set(`${form} ${ticker}`, [ticker, [file]]);
    }
  }
  return [...groups.values()].map(([ticker, group]) => [ticker, group.sort(byAge)]);
}

/** Whether enough days may be in both. */
function mayShare({ facts: { days: a } }: SurveyedFile, { facts: { days: b } }: SurveyedFile): boolean {
  return a !== null && b !== null && Math.min(a[1], b[1]) - Math.max(a[0], b[0]) >= SHARED_DAYS - 1;
}

/** The newest first. */
const byAge = (a: SurveyedFile, b: SurveyedFile) =>
  (b.facts.days?.[1] ?? 0) - (a.facts.days?.[1] ?? 0) || b.modifiedMs - a.modifiedMs;

/** The one ratio of the prices of shared days; null: they have none, or share too few days, or are equal. */
function ratioOf(newer: ReadonlyMap<Day, number>, older: ReadonlyMap<Day, number>): number | null {
  const ratios = [...older].flatMap(([day, close]) => {
    const other = newer.get(day);
    return other === undefined ? [] : [other / close];
  });
  if (ratios.length < SHARED_DAYS || ratios.every((ratio) => ratio === 1)) return null;
  const middle = ratios.toSorted((a, b) => a - b)[ratios.length >> 1];
  return ratios.every((ratio) => Math.abs(ratio / middle - 1) <= SAME_RATIO) ? middle : null;
}

async function closesOf(file: SurveyedFile, today: Day): Promise<Closes> {
  const closes = new Map<string, Map<Day, number>>();
  for await (const { ticker, day, close } of readCloses(file, null, today)) {
    closes.set(ticker, (closes.get(ticker) ?? new Map<Day, number>()).set(day, close));
  }
  return closes;
}
