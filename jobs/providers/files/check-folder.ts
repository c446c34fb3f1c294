/** Foretells what a load would make of a folder, from a sample of its lines, before anything is started. */

import { type Day, newYorkDay } from '../../../engine/market/dates.ts';
import { dayFault, eventFault, figuresFault } from '../../../engine/market/faults.ts';
import { likelyRenames, renameSentence, type TickerLife } from '../../../engine/market/ticker-book.ts';
import { CONSOLIDATED_FROM } from '../../../engine/market/venue-basis.ts';
import { toError } from '../../../engine/util/errors.ts';
import { EventList } from '../event-list.ts';
import { AccountBook, FileAccount } from '../file-account.ts';
import { type BarBatch, type ColumnFile, NO_DAY } from '../provider.ts';
import { type BarFile, readBarFile } from './bar-file.ts';
import { columnFilesOf } from './column-files.ts';
import { readColumnEvents, readEventFile } from './event-files.ts';
import { placeOf } from './facts.ts';
import type { LayoutId, PriceForm } from './layouts/layout.ts';
import { type MarketJson, readMarketJson } from './market-json.ts';
import { factsOf, findFiles, identityOf, type SurveyedFile } from './survey.ts';
import { readInstruments } from './symbol-lists.ts';

/** Bytes that a sample reads, of all files and of each at least. */
const SAMPLE = { all: 200e6, file: 64 * 1024 } as const;
const SHOWN_LINES = 3;

export interface CheckOptions {
  readonly folder: string;
  /** The service's own folder, which is no part of it; absent: it lies elsewhere. */
  readonly dataFolder?: string;
  readonly now: number;
  /** Reads every line. */
  readonly all: boolean;
  /** Called after each file with the share that has been read. */
  readonly onProgress?: (share: number) => void;
  /** Whether the first file that can be used is enough. */
  readonly untilUsable?: boolean;
  /** Judges a column by its first `maxBytes`; absent: columns are not looked at. */
  readonly checkColumn?: (file: ColumnFile, maxBytes: number) => Promise<FileAccount>;
}

interface LayoutCheck {
  readonly layout: LayoutId;
  files: number;
  readonly symbols: Set<string>;
  first: Day | null;
  last: Day | null;
  prices: PriceForm | 'mixed' | null;
  events: number;
  readonly rejected: Record<string, { count: number; lines: { file: string; line: number; text: string }[] }>;
}

export const MISSING = ['no_symbol_list', 'no_events', 'no_delisted'] as const;

export interface FolderCheck {
  /** Whether there is a file of bars that can be loaded. */
  readonly ok: boolean;
  /** Whether counts are of a sample. */
  readonly estimated: boolean;
  readonly layouts: readonly LayoutCheck[];
  readonly missing: readonly (typeof MISSING)[number][];
  /** Settings for `market.json` that would change a guess. */
  readonly suggest: MarketJson;
  readonly consolidatedFrom: Day | null;
  readonly files: readonly FileAccount[];
}

/** Throws a `ProviderError` when the folder cannot be read, or its `market.json` is wrong. */
export async function checkFolder(options: CheckOptions): Promise<FolderCheck> {
  const { folder, now, all } = options;
  const { files: found } = await findFiles(folder, options.dataFolder);
  const market = await readMarketJson(folder);
  const hasList = found.some(({ path }) => path === 'symbols.csv');
  const maxBytes = all ? Infinity : Math.max(SAMPLE.file, SAMPLE.all / Math.max(1, found.length));
  const check = new Check(now, maxBytes, hasList);
  for (const [i, file] of found.entries()) {
    const facts = await factsOf(file, { market, now, hasList, maxBytes });
    await check.add({ ...file, facts });
    options.onProgress?.((i + 1) / found.length);
    if (options.untilUsable && check.isOk) break;
  }
  await check.judgeColumns(options.checkColumn);
  return check.result(market);
}

type FileLife = { -readonly [K in keyof TickerLife]: TickerLife[K] } & {
  /** The file with its first bar. */
  path: string;
};

/** The first and the last bar of each ticker. */
class TickerLives {
  readonly all = new Map<string, FileLife>();

  add({ ticker: tickers, day: days, open, close }: BarBatch, i: number, path: string): void {
    const [ticker, day] = [tickers[i], days[i]];
    const known = this.all.get(ticker);
    if (known === undefined) {
      this.all.set(ticker, { ticker, path, first: day, last: day, open: open[i], close: close[i] });
      return;
    }
    if (day < known.first) Object.assign(known, { path, first: day, open: open[i] });
    if (day < known.last) return;
    known.last = day;
    known.close = close[i];
  }
}

class Check {
  private readonly now: number;
  private readonly maxBytes: number;
  private readonly layouts = new Map<LayoutId, LayoutCheck>();
  private readonly accounts: FileAccount[] = [];
  private readonly lists: SurveyedFile[] = [];
  private readonly events: SurveyedFile[] = [];
  private readonly columns: SurveyedFile[] = [];
  /** Null: there is a list. */
  private readonly lives: TickerLives | null;
  private isEstimated = false;
  /** The first day of consolidated bars. */
  private first: Day | null = null;
  private hasPrimary = false;
  isOk = false;

  constructor(now: number, maxBytes: number, hasList: boolean) {
    this.now = now;
    this.maxBytes = maxBytes;
    this.lives = hasList ? null : new TickerLives();
  }

  async add(file: SurveyedFile): Promise<void> {
    const { facts } = file;
    if (facts.kind === 'symbols') this.lists.push(file);
    else if (facts.kind === 'events') this.events.push(file);
    else if (facts.kind === 'bars' && facts.format) await this.addBars(file);
    else if (facts.kind === 'column') this.columns.push(file);
    else {
      if (placeOf(file.path).isColumn) this.columns.push(file);
      this.hasPrimary ||= facts.kind === 'minutes';
      const account = new FileAccount(identityOf(file));
      account.reason = facts.reason;
      this.accounts.push(account);
    }
  }

  async judgeColumns(judge: CheckOptions['checkColumn']): Promise<void> {
    if (!judge) return;
    for (const file of columnFilesOf({ files: this.columns, unsettled: [] })) {
      this.accounts.push(await judge(file, this.maxBytes));
    }
  }

  private layoutOf(name: LayoutId): LayoutCheck {
    const known: LayoutCheck = this.layouts.get(name) ?? {
      layout: name,
      files: 0,
      symbols: new Set<string>(),
      first: null,
      last: null,
      prices: null,
      events: 0,
      rejected: {},
    };
    this.layouts.set(name, known);
    return known;
  }

  private async addBars(file: SurveyedFile): Promise<void> {
    const { packing, format, onlyDay = null, days } = file.facts;
    if (!format) return;
    const account = new FileAccount(identityOf(file));
    this.accounts.push(account);
    const layout = this.layoutOf(format.layout);
    layout.files++;
    layout.prices = layout.prices === null || layout.prices === format.prices ? format.prices : 'mixed';
    const opened: BarFile = { ...file, packing, format, onlyDay, lastDay: days?.[1] ?? NO_DAY, splitsOf: null };
    try {
      await this.readSample(opened, account, layout);
      for await (const _ of format.splitsAt === -1 && format.dividendsAt === -1 ? [] : readColumnEvents(file))
        layout.events++;
    } catch (error) {
      account.reason = toError(error).message;
    }
    if (account.isTooMalformed) account.refuse(`${account.malformed} of ${account.dataLines} lines are malformed`);
    if (account.loaded > 0) this.isOk = true;
    noteRejected(layout, account);
    const { venueBasis } = placeOf(file.path);
    this.hasPrimary ||= venueBasis === 'primary_session';
    if (venueBasis === 'consolidated' && days) this.first = Math.min(this.first ?? days[0], days[0]);
  }

  private async readSample(file: BarFile, account: FileAccount, layout: LayoutCheck): Promise<void> {
    for await (const batch of readBarFile(file, account, newYorkDay(this.now))) {
      for (let i = 0; i < batch.count; i++) if (addRow(batch, i, account, layout)) this.lives?.add(batch, i, file.path);
      if (batch.progress * file.bytes < this.maxBytes) continue;
      this.isEstimated ||= batch.progress < 1;
      break;
    }
  }

  /** A sample does not tell where a ticker ends. */
  private tellRenames(files: readonly FileAccount[]): void {
    if (this.isEstimated || this.lives === null || this.lists.length > 0) return;
    for (const one of likelyRenames([...this.lives.all.values()])) {
      const path = this.lives.all.get(one.to)?.path;
      files.find(({ file }) => file.path === path)?.tell(renameSentence(one));
    }
  }

  /** Judges the events of lists as a load does, and returns how many count. */
  private async readEvents(book: AccountBook): Promise<number> {
    const reject = (source: string, content: string, reason: string) => book.reject(source, content, reason);
    const list = new EventList(true, book, reject);
    const ids = new Map<string, number>();
    const byName = (a: SurveyedFile, b: SurveyedFile) =>
      Number(b.facts.layout === 'own') - Number(a.facts.layout === 'own');
    for (const file of this.events.toSorted(byName)) {
      for await (const { ticker, source, content = '', ...event } of readEventFile(file, book, () => {})) {
        // The close before, by which an amount becomes a factor, may not be in the sample.
        const fault = event.amount === undefined ? eventFault(event.kind, event.factor) : null;
        const instrumentId = ids.get(ticker) ?? ids.size;
        ids.set(ticker, instrumentId);
        if (fault !== null) reject(source, content, fault);
        else if (event.amount === undefined) list.add({ ...event, instrumentId, source, content });
      }
    }
    list.events();
    for (const { path, facts } of [...this.lists, ...this.events]) {
      const account = book.get(path);
      if (account && account.rejectedCount > 0) noteRejected(this.layoutOf(facts.layout ?? 'own'), account);
    }
    const loaded = this.events.reduce((sum, { path }) => sum + (book.get(path)?.loaded ?? 0), 0);
    if (loaded > 0) this.layoutOf('own').events += loaded;
    return loaded;
  }

  async result(market: MarketJson): Promise<FolderCheck> {
    const book = new AccountBook();
    const instruments = await readInstruments(this.lists, book, () => {});
    const events = await this.readEvents(book);
    const layouts = [...this.layouts.values()];
    const missing = [
      ...(this.lists.length === 0 ? (['no_symbol_list'] as const) : []),
      ...(events === 0 && layouts.every((one) => one.events === 0) ? (['no_events'] as const) : []),
      ...(instruments.every(({ delistedOn }) => delistedOn === null) ? (['no_delisted'] as const) : []),
    ];
    const isGuessed = layouts.some(({ prices }) => prices === 'unknown');
    const suggest: MarketJson = isGuessed ? { prices: 'as_traded' } : {};
    const files = [...this.accounts, ...book.all()].sort((a, b) => (a.file.path < b.file.path ? -1 : 1));
    this.tellRenames(files);
    return {
      ok: this.isOk,
      estimated: this.isEstimated,
      layouts,
      missing,
      suggest,
      consolidatedFrom: consolidatedFrom(market, this.hasPrimary ? CONSOLIDATED_FROM : this.first),
      files,
    };
  }
}

/** Notes the rejected lines of a file for its layout. */
function noteRejected({ rejected }: LayoutCheck, { file, rejectedLines, rejected: counts }: FileAccount): void {
  for (const { line, text, reason } of rejectedLines) {
    rejected[reason] ??= { count: 0, lines: [] };
    if (rejected[reason].lines.length < SHOWN_LINES) rejected[reason].lines.push({ file: file.path, line, text });
  }
  for (const [reason, count] of Object.entries(counts)) {
    rejected[reason] ??= { count: 0, lines: [] };
    rejected[reason].count += count;
  }
}

/** Judges a row as a load does; false: it would be rejected. */
function addRow(batch: BarBatch, i: number, account: FileAccount, layout: LayoutCheck): boolean {
  const { open, high, low, close, volume } = batch;
  const day = batch.day[i];
  const fault = dayFault(day === NO_DAY ? null : day) ?? figuresFault(open[i], high[i], low[i], close[i], volume[i]);
  if (fault !== null) {
    const { source, content } = batch.describe(i);
    account.rejectLoaded(source, content, fault);
    return false;
  }
  layout.symbols.add(batch.ticker[i]);
  layout.first = Math.min(layout.first ?? day, day);
  layout.last = Math.max(layout.last ?? day, day);
  return true;
}

function consolidatedFrom({ consolidated_from: given }: MarketJson, first: Day | null): Day | null {
  return given === undefined ? first : Date.parse(given) / 86_400_000;
}
