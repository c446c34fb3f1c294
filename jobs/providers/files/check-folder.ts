/** Foretells what a load would make of a folder, from a sample of its lines, before anything is started. */
import { dayFault, figuresFault } from '../../../engine/market/bar-faults.ts';
import { type Day, formatDay, newYorkDay } from '../../../engine/market/dates.ts';
import { likelyRenames, renameSentence, type TickerLife } from '../../../engine/market/renames.ts';
import { CONSOLIDATED_FROM } from '../../../engine/market/venue-basis.ts';
import { toError } from '../../../engine/util/errors.ts';
import { AccountBook, FileAccount } from '../file-account.ts';
import { type BarBatch, NO_DAY } from '../provider.ts';
import { type BarFile, readBarFile } from './bar-file.ts';
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
  const check = new Check(now, maxBytes);
  for (const [i, file] of found.entries()) {
    const facts = await factsOf(file, { market, now, hasList, maxBytes });
    await check.add({ ...file, facts });
    options.onProgress?.((i + 1) / found.length);
    if (options.untilUsable && check.isOk) break;
  }
  return check.result(market);
}

class Check {
  private readonly now: number;
  private readonly maxBytes: number;
  private readonly layouts = new Map<LayoutId, LayoutCheck>();
  private readonly accounts: FileAccount[] = [];
  private readonly lists: SurveyedFile[] = [];
  private readonly events: SurveyedFile[] = [];
  private readonly lives = new Map<string, TickerLife & { path: string }>();
  private isEstimated = false;
  /** The first day of consolidated bars. */
  private first: Day | null = null;
  private hasPrimary = false;
  isOk = false;

  constructor(now: number, maxBytes: number) {
    this.now = now;
    this.maxBytes = maxBytes;
  }

  async add(file: SurveyedFile): Promise<void> {
    const { facts } = file;
    if (facts.kind === 'symbols') this.lists.push(file);
    else if (facts.kind === 'events') this.events.push(file);
    else if (facts.kind === 'bars') await this.addBars(file);
    else {
      this.hasPrimary ||= facts.kind === 'minutes';
      const account = new FileAccount(identityOf(file));
      account.reason = facts.reason;
      this.accounts.push(account);
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
    for (const { line, text, reason } of account.rejectedLines) {
      layout.rejected[reason] ??= { count: 0, lines: [] };
      if (layout.rejected[reason].lines.length < SHOWN_LINES)
        layout.rejected[reason].lines.push({ file: file.path, line, text });
    }
    for (const [reason, count] of Object.entries(account.rejected)) {
      layout.rejected[reason] ??= { count: 0, lines: [] };
      layout.rejected[reason].count += count;
    }
    const { venueBasis } = placeOf(file.path);
    this.hasPrimary ||= venueBasis === 'primary_session';
    if (venueBasis === 'consolidated' && days) this.first = Math.min(this.first ?? days[0], days[0]);
  }

  private async readSample(file: BarFile, account: FileAccount, layout: LayoutCheck): Promise<void> {
    for await (const batch of readBarFile(file, account, newYorkDay(this.now))) {
      for (let i = 0; i < batch.count; i++) if (addRow(batch, i, account, layout)) this.addToLife(batch, i, file.path);
      if (batch.progress * file.bytes < this.maxBytes) continue;
      this.isEstimated ||= batch.progress < 1;
      break;
    }
  }

  private addToLife({ ticker: tickers, day: days, open, close }: BarBatch, i: number, path: string): void {
    const [ticker, day] = [tickers[i], days[i]];
    const known = this.lives.get(ticker) ?? { ticker, path, first: day, last: day, open: open[i], close: close[i] };
    const begins = day <= known.first ? { path, first: day, open: open[i] } : {};
    const ends = day >= known.last ? { last: day, close: close[i] } : {};
    this.lives.set(ticker, { ...known, ...begins, ...ends });
  }

  /** A sample does not tell where a ticker ends. */
  private tellRenames(files: readonly FileAccount[]): void {
    if (this.isEstimated || this.lists.length > 0) return;
    for (const one of likelyRenames([...this.lives.values()])) {
      const path = this.lives.get(one.to)?.path;
      files.find(({ file }) => file.path === path)?.tell(renameSentence(one));
    }
  }

  async result(market: MarketJson): Promise<FolderCheck> {
    const book = new AccountBook();
    const instruments = await readInstruments(this.lists, book, () => {});
    let events = 0;
    for (const file of this.events) for await (const _ of readEventFile(file, book, () => {})) events++;
    if (events > 0) this.layoutOf('own').events += events;
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

/** Files that cannot be used, each with the reason and its first line, one a line. */
export function describeUnusable({ files }: FolderCheck, limit = 20): string {
  const unusable = files.filter(({ reason, loaded }) => reason !== null || loaded === 0);
  const lines = unusable.slice(0, limit).map(({ file, reason, rejectedLines: [line] }) => {
    const why = reason ?? (line ? `no line can be loaded; line ${line.line} is ${line.reason}` : 'it has no bar');
    return `  ${file.path}: ${why}${file.firstLine === null ? '' : ` (first line: ${file.firstLine.slice(0, 80)})`}`;
  });
  const more = unusable.length > limit ? [`  and ${unusable.length - limit} more`] : [];
  return [...lines, ...more].join('\n');
}

/** The check as `--json` prints it. */
export function checkView(check: FolderCheck) {
  const day = (value: Day | null) => (value === null ? null : formatDay(value));
  const { layouts } = check;
  const prices = new Set(layouts.map((one) => one.prices).filter((one) => one !== null));
  const symbols = new Set(layouts.flatMap((one) => [...one.symbols]));
  const days = (pick: 'first' | 'last') => layouts.map((one) => one[pick]).filter((one) => one !== null);
  return {
    ok: check.ok,
    estimated: check.estimated,
    market: {
      prices: prices.size > 1 ? ('mixed' as const) : ([...prices][0] ?? null),
      consolidated_from: day(check.consolidatedFrom),
      first: day(days('first').length > 0 ? Math.min(...days('first')) : null),
      last: day(days('last').length > 0 ? Math.max(...days('last')) : null),
      symbols: symbols.size,
    },
    layouts: layouts.map((one) => ({ ...one, symbols: one.symbols.size, first: day(one.first), last: day(one.last) })),
    missing: [...check.missing],
    suggest: { 'market.json': check.suggest },
    files: check.files.map(accountView),
  };
}

/** An account as `--json` prints it. */
function accountView(account: FileAccount) {
  const { file, lines, header, blank, loaded, repeated, reason, told } = account;
  return {
    path: file.path,
    layout: file.layout,
    lines,
    header,
    blank,
    loaded,
    repeated,
    rejected: account.rejectedCount,
    left_out: account.leftOutCount,
    reason,
    first_line: file.firstLine,
    by_reason: { ...account.rejected, ...account.leftOut },
    rejected_lines: account.rejectedLines,
    told,
  };
}
