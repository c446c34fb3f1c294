/** Conclusions from a survey of a folder as a whole. */
import { createHash } from 'node:crypto';
import { type Day, formatDay, parseDay } from '../../../engine/market/dates.ts';
import { isTradingDay } from '../../../engine/market/faults.ts';
import type { VenueBasis } from '../../../engine/market/venue-basis.ts';
import { FileAccount } from '../file-account.ts';
import {
  type ChangedUnit,
  type FolderState,
  type LoadUnit,
  type ProvidedInstrument,
  ProviderError,
  type ReadFiles,
} from '../provider.ts';
import { splitFields } from '../text-chunks.ts';
import type { BarFormat } from './bar-format.ts';
import { placeOf } from './facts.ts';
import type { PriceForm } from './layouts/layout.ts';
import { readFileLines } from './open-file.ts';
import type { Survey, SurveyedFile } from './survey.ts';

export const MINUTE_PATH = /^minute\/(\d{4}-\d\d-\d\d)\/([^/]+)\.csv(\.gz)?$/i;

/** Finds what has changed since files were read. `units`: all units of each venue basis. */
export function folderStateOf(
  { files }: Survey,
  units: ReadonlyMap<VenueBasis, readonly LoadUnit[]>,
  read: ReadFiles,
): FolderState {
  const isChanged = ({ path, bytes, modifiedMs }: SurveyedFile) => {
    const known = read.get(path);
    return known?.bytes !== bytes || known.modifiedMs !== modifiedMs;
  };
  const changed = files.filter(isChanged);
  const paths = new Set(changed.map(({ path }) => path));
  const minuteDays = new Set(
    changed.flatMap(({ path, facts }) => (facts.kind === 'minutes' ? [path.split('/')[1]] : [])),
  );
  const wall = performance.timeOrigin + performance.now();
  const writtenMs = new Map(files.map(({ path, modifiedMs }) => [path, modifiedMs]));
  const changedUnits = new Map<VenueBasis, readonly ChangedUnit[]>();
  for (const [venueBasis, planned] of units) {
    const hasMinutes = (day: Day) => venueBasis === 'primary_session' && minuteDays.has(formatDay(day));
    const toChanged = ({ parts, start, end }: LoadUnit) => ({
      start,
      end,
      isChanged: parts.some((path) => paths.has(path)) || hasMinutes(start),
      writtenAgoS: (wall - parts.reduce((ms, path) => Math.max(ms, writtenMs.get(path) ?? ms), -Infinity)) / 1000,
    });
    changedUnits.set(venueBasis, planned.map(toChanged));
  }
  const hasTickers = ({ facts }: SurveyedFile) => facts.kind === 'bars' && facts.tickers.length > 0;
  return {
    symbols: digestOf(
      files.filter((file) => file.facts.kind === 'symbols' || placeOf(file.path).isColumn || hasTickers(file)),
    ),
    adjustments: digestOf(files.filter((file) => file.facts.kind === 'events' || hasTickers(file))),
    units: changedUnits,
  };
}

/** A digest of the state of files. */
function digestOf(files: readonly SurveyedFile[]): string {
  const hash = createHash('sha256');
  for (const { path, bytes, modifiedMs } of files) hash.update(`${path} ${bytes} ${modifiedMs}\n`);
  return hash.digest('hex').slice(0, 16);
}

/** Days with minute bars that are sessions, oldest first. */
export function minuteDaysOf({ files }: Survey): Day[] {
  const days = new Set<Day>();
  for (const { path, facts } of files) {
    const day = facts.kind === 'minutes' ? parseDay(MINUTE_PATH.exec(path)?.[1] ?? '') : null;
    if (day !== null && isTradingDay(day)) days.add(day);
  }
  return [...days].sort((a, b) => a - b);
}

/** The form of the prices of a file once they are loaded. */
export function loadedPrices(format: BarFormat, hasEvents: boolean): PriceForm {
  const isBroughtBack = format.prices === 'split_adjusted' && (hasEvents || format.splitsAt !== -1);
  return isBroughtBack ? 'as_traded' : format.prices;
}

export const hasEvents = (files: readonly SurveyedFile[]) => files.some(({ facts }) => facts.kind === 'events');

/** The form of the prices of each ticker once they are loaded, without those as traded. */
export function pricesByTicker(files: readonly SurveyedFile[]): Map<string, PriceForm> {
  const known = hasEvents(files);
  const prices = new Map<string, PriceForm>();
  for (const { facts } of files) {
    if (facts.kind !== 'bars' || !facts.format) continue;
    const form = loadedPrices(facts.format, known);
    if (form !== 'as_traded') for (const ticker of facts.tickers) prices.set(ticker, form);
  }
  return prices;
}

/** Tickers whose files have prices of two forms, which make no series. */
export async function tickersOfTwoForms(files: readonly SurveyedFile[]): Promise<ReadonlySet<string>> {
  const kept = pricesByTicker(files);
  const mixed = new Set<string>();
  if (kept.size === 0) return mixed;
  const known = hasEvents(files);
  for (const file of files) {
    const { kind, format, tickers } = file.facts;
    if (kind !== 'bars' || !format) continue;
    const form = loadedPrices(format, known);
    // Symbols of our own layout are those of the list, so that nobody has looked for them.
    for (const ticker of tickers.length > 0 ? tickers : await tickersIn(file, format)) {
      if ((kept.get(ticker) ?? form) !== form) mixed.add(ticker);
    }
  }
  return mixed;
}

async function tickersIn(file: SurveyedFile, { delimiter, at }: BarFormat): Promise<ReadonlySet<string>> {
  const tickers = new Set<string>();
  try {
    for await (const { lines } of readFileLines(file, file.facts.packing)) {
      for (const line of lines) tickers.add(splitFields(line, delimiter)?.[at.symbol]?.trim() ?? '');
    }
  } catch (error) {
    // The load tells it.
    if (!(error instanceof ProviderError)) throw error;
  }
  return tickers;
}

/** The account of a file that was not looked at. */
export function accountOf(path: string, reason: string): FileAccount {
  const account = new FileAccount({ path, layout: null, bytes: 0, modifiedMs: 0, firstLine: null, told: [] });
  account.reason = reason;
  return account;
}

const MOST_NAMED = 20;

/** Tells the tickers of a file that no list has, and which have no type therefore. `listed`: null: there is no list. */
export function tellUnlisted(account: FileAccount, listed: ReadonlySet<string> | null): void {
  const unlisted = (account.tickers ?? []).filter((ticker) => !listed?.has(ticker));
  if (unlisted.length === 0) return;
  const named = unlisted.length > MOST_NAMED ? [...unlisted.slice(0, MOST_NAMED), '…'] : unlisted;
  account.tell(`no list has ${named.join(', ')}: names and types are not known`);
}

/** An instrument that no list has. */
export function unlisted(ticker: string, path: string): ProvidedInstrument {
  return {
    key: `${ticker}@`,
    ticker,
    name: ticker,
    assetType: 'other',
    primaryVenue: 'US',
    currency: 'USD',
    listedOn: null,
    delistedOn: null,
    previousTickers: [],
    isPopular: false,
    lotSize: 100,
    source: path,
  };
}
