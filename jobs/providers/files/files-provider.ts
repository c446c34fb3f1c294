/** A folder of files as a provider; ops/docs/OPERATING.md says which files it takes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MarketSource } from '../../../db/market/market-source.ts';
import type { SourceFile } from '../../../db/queue/sync-units.ts';
import { type Day, FAR_FUTURE, FAR_PAST, formatDay, newYorkDay, requireDay } from '../../../engine/market/dates.ts';
import type { MinuteBar } from '../../../engine/market/minute-bars.ts';
import { CONSOLIDATED_FROM, VENUE_BASES, type VenueBasis } from '../../../engine/market/venue-basis.ts';
import { AccountBook, FileAccount, SourceDigest } from '../file-account.ts';
import {
  type BarBatch,
  type ColumnFile,
  type FolderState,
  type LoadUnit,
  NO_DAY,
  type ProvidedAdjustment,
  type ProvidedInstrument,
  type Provider,
  ProviderError,
  type ReadFiles,
  type SessionRange,
  type UnreadableRow,
} from '../provider.ts';
import { factorsOfAmounts } from './amounts.ts';
import { readBarFile } from './bar-file.ts';
import { columnFilesOf } from './column-files.ts';
import { readColumnEvents, readEventFile } from './event-files.ts';
import {
  accountOf,
  folderStateOf,
  MINUTE_PATH,
  minuteDaysOf,
  pricesByTicker,
  tellUnlisted,
  unlisted,
} from './folder-state.ts';
import { readCloses, readMinuteFile } from './minute-files.ts';
import { listedSplits, openBars } from './open-bars.ts';
import { readSmall, readTogether } from './open-file.ts';
import { planUnits } from './plan-units.ts';
import {
  barFiles,
  identityOf,
  inOrder,
  type Survey,
  type SurveyedFile,
  type SurveyOptions,
  surveyFolder,
} from './survey.ts';
import { readInstruments } from './symbol-lists.ts';
import { type FileRelations, relationsOf } from './vintages.ts';

/** Files are read as soon as they stand still, unless `settleMs` says for how long they must have. */
export type FilesProviderOptions = Omit<SurveyOptions, 'settleMs'> & Partial<Pick<SurveyOptions, 'settleMs'>>;

export class FilesProvider implements Provider {
  readonly id = 'files';
  readonly isSynthetic = false;
  readonly keepsAccounts: boolean = true;
  readonly source: MarketSource;
  private readonly options: FilesProviderOptions;
  private latest: Survey | null = null;
  private relations: FileRelations | null = null;

  constructor(options: FilesProviderOptions) {
    this.options = options;
    this.source = { provider: this.id, folder: options.folder, sampleSymbols: null };
  }

  /** Looks at the folder anew. While it has nothing but files that are still being written, waits for them. */
  async survey(): Promise<Survey> {
    const options = { settleMs: 0, ...this.options };
    let survey = await surveyFolder(options);
    if (survey.unsettled.length > 0 && !survey.files.some(({ facts }) => facts.kind === 'bars')) {
      await sleep(options.settleMs);
      survey = await surveyFolder(options);
    }
    this.latest = survey;
    return survey;
  }

  private async known(): Promise<Survey> {
    return this.latest ?? this.survey();
  }

  /** A file of bars without a session is read for its account alone. */
  private async unreadFile(file: SurveyedFile): Promise<FileAccount> {
    const account = new FileAccount(identityOf(file));
    account.reason = file.facts.reason ?? 'it has no day that is a session and not in the future';
    if (file.facts.kind !== 'bars') return account;
    for await (const batch of readBarFile(await openBars(file, null), account, newYorkDay(this.options.now()))) {
      for (let i = 0; i < batch.count; i++) {
        const { source, content } = batch.describe(i);
        account.rejectLoaded(source, content, batch.day[i] === NO_DAY ? 'bad_date' : 'not_a_session');
      }
    }
    return account;
  }

  async folderState(read: ReadFiles): Promise<FolderState> {
    const units = new Map<VenueBasis, LoadUnit[]>();
    for (const basis of VENUE_BASES) units.set(basis, await this.planUnits(basis, FAR_PAST, FAR_FUTURE));
    return folderStateOf(await this.known(), units, read);
  }

  /** A folder without bars of the primary session has consolidated ones from its first day on. */
  async consolidatedFrom(): Promise<Day | null> {
    const survey = await this.known();
    const { consolidated_from: given } = survey.market;
    if (given !== undefined) return requireDay(given);
    const hasPrimary = barFiles(survey, 'primary_session').length > 0 || minuteDaysOf(survey).length > 0;
    const days = barFiles(survey, 'consolidated').flatMap(({ facts }) => facts.days ?? []);
    return hasPrimary || days.length === 0 ? null : days.reduce((a, b) => Math.min(a, b));
  }

  get takesNewestFile(): boolean {
    return this.latest?.market.conflicts === 'newest_file';
  }

  async columnFiles(): Promise<ColumnFile[]> {
    return columnFilesOf(await this.known());
  }

  async filePaths(): Promise<string[]> {
    const { files, unsettled } = await this.known();
    return [...files.map(({ path }) => path), ...unsettled];
  }

  async filesWith(tickers: readonly string[] | null): Promise<ReadonlySet<string>> {
    const { files, unsettled } = await this.survey();
    if (unsettled.length > 0) throw new ProviderError(`${unsettled[0]} is still being written`, { isTransient: true });
    const wanted = new Set(tickers);
    const mayHave = ({ facts }: SurveyedFile) =>
      tickers === null || facts.tickers.length === 0 || facts.tickers.some((ticker) => wanted.has(ticker));
    return new Set(files.filter(mayHave).map(({ path }) => path));
  }

  async unreadFiles(): Promise<FileAccount[]> {
    const { files, hidden, unsettled } = await this.known();
    const unread = files.filter(({ facts }) => facts.kind === null || (facts.kind === 'bars' && facts.days === null));
    // One at a time: a folder may have thousands.
    const accounts: FileAccount[] = [];
    for (const file of unread) accounts.push(await this.unreadFile(file));
    if (hidden > 0) accounts.push(accountOf(`${hidden} hidden`, 'hidden'));
    return [...accounts, ...unsettled.map((path) => accountOf(path, 'it is still being written'))];
  }

  async *instruments(
    reject: (row: UnreadableRow) => void,
    book = new AccountBook(),
  ): AsyncIterable<ProvidedInstrument> {
    const { files } = await this.survey();
    const listed = await readInstruments(
      files.filter(({ facts }) => facts.kind === 'symbols'),
      book,
      reject,
    );
    const prices = pricesByTicker(files);
    for (const instrument of listed) yield { ...instrument, prices: prices.get(instrument.ticker) };
    const known = new Set(
      listed.flatMap(({ ticker, previousTickers }) => [ticker, ...previousTickers.map((one) => one.ticker)]),
    );
    for (const { path, facts } of files) {
      for (const ticker of facts.kind === 'bars' ? facts.tickers : []) {
        if (known.has(ticker)) continue;
        known.add(ticker);
        yield { ...unlisted(ticker, path), prices: prices.get(ticker) };
      }
    }
  }

  async *adjustments(
    reject: (row: UnreadableRow) => void,
    book = new AccountBook(),
  ): AsyncIterable<ProvidedAdjustment> {
    const { files } = await this.survey();
    const kept = pricesByTicker(files);
    // `adjustments.csv` counts before all others, which the load keeps to by the order.
    const lists = files.filter(({ facts }) => facts.kind === 'events');
    const ordered = lists.sort((a, b) => Number(b.facts.layout === 'own') - Number(a.facts.layout === 'own'));
    for (const file of ordered) {
      const amounts: ProvidedAdjustment[] = [];
      for await (const event of readEventFile(file, book, reject)) {
        if (kept.has(event.ticker)) {
          book.leaveOut(event.source, 'prices_are_adjusted');
          book.tell(file.path, `the prices of ${event.ticker} are kept as they are, so its events are not applied`);
        } else if (event.amount === undefined) yield event;
        else amounts.push(event);
      }
      const today = newYorkDay(this.options.now());
      for (const { event, fault } of await factorsOfAmounts(amounts, files, today)) {
        if (fault === null) yield event;
        else {
          const { source, content = '' } = event;
          book.reject(source, content, fault);
          reject({ source, content, reason: fault });
        }
      }
    }
    for (const file of files) {
      if (file.facts.kind !== 'bars' || file.facts.format?.prices === 'total_adjusted') continue;
      yield* readColumnEvents(file);
    }
  }

  async publishedSessions(venueBasis: VenueBasis): Promise<SessionRange | null> {
    const survey = await this.survey();
    const days = barFiles(survey, venueBasis).flatMap(({ facts }) => facts.days ?? []);
    if (venueBasis === 'primary_session') days.push(...minuteDaysOf(survey));
    if (days.length === 0) return null;
    return { first: days.reduce((a, b) => Math.min(a, b)), newest: days.reduce((a, b) => Math.max(a, b)) };
  }

  async planUnits(venueBasis: VenueBasis, start: Day, end: Day): Promise<LoadUnit[]> {
    const survey = await this.known();
    return planUnits(
      inOrder(barFiles(survey, venueBasis), survey),
      venueBasis === 'primary_session' ? minuteDaysOf(survey) : [],
      start,
      end,
    );
  }

  async *dailyBars(
    venueBasis: VenueBasis,
    unit: LoadUnit,
    signal: AbortSignal,
    onSource?: (file: SourceFile) => void,
    book = new AccountBook(),
  ): AsyncIterable<BarBatch> {
    const survey = await this.known();
    const wanted = new Set(unit.parts);
    const files = inOrder(
      survey.files.filter(({ path }) => wanted.has(path)),
      survey,
    );
    const splits = await listedSplits(survey.files);
    const { mixed, vintages, listed } = await this.relationsOf(survey);
    const usedFrom = venueBasis === 'consolidated' ? ((await this.consolidatedFrom()) ?? CONSOLIDATED_FROM) : FAR_PAST;
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    for await (const [file, start] of readTogether(files, readSmall)) {
      const account = book.open(identityOf(file));
      account.days = file.facts.days;
      account.tickers = file.facts.tickers.length > 0 ? file.facts.tickers : null;
      tellUnlisted(account, listed);
      if ((file.facts.days?.[0] ?? usedFrom) < usedFrom)
        account.tell(`its bars before ${formatDay(usedFrom)} are unused: consolidated bars count from then on`);
      const digest = new SourceDigest();
      try {
        for await (const batch of readBarFile(
          { ...(await openBars(file, splits)), mixed, vintages: vintages.get(file.path), start },
          account,
          newYorkDay(this.options.now()),
          digest,
        )) {
          signal.throwIfAborted();
          yield { ...batch, progress: (done + batch.progress * file.bytes) / Math.max(1, total) };
        }
        onSource?.(digest.end(file.path));
      } catch (error) {
        if (!(error instanceof ProviderError && error.isLocal)) throw error;
        account.reason = error.message;
        account.isBroken = true;
      }
      done += file.bytes;
    }
  }

  /** Found once for each survey: it may have to read every file. */
  private async relationsOf({ files }: Survey): Promise<FileRelations> {
    if (this.relations?.files !== files) this.relations = await relationsOf(files, newYorkDay(this.options.now()));
    return this.relations;
  }

  async minuteDays(start: Day, end: Day): Promise<Day[]> {
    return minuteDaysOf(await this.known()).filter((day) => day >= start && day <= end);
  }

  async minuteTickers(day: Day): Promise<string[]> {
    return (await this.minuteFiles(day)).map(({ ticker }) => ticker);
  }

  async minuteBars(day: Day, ticker: string, book = new AccountBook()): Promise<MinuteBar[] | null> {
    const found = (await this.minuteFiles(day)).find((one) => one.ticker === ticker);
    return found ? readMinuteFile(found.file, book, (await this.known()).market.timezone) : null;
  }

  async officialCloses(day: Day, book = new AccountBook()): Promise<ReadonlyMap<string, number>> {
    const file = (await this.known()).files.find(({ facts }) => facts.kind === 'closes');
    return file ? readCloses(file, book, day) : new Map<string, number>();
  }

  private async minuteFiles(day: Day): Promise<{ ticker: string; file: SurveyedFile }[]> {
    const { files } = await this.known();
    return files.flatMap((file) => {
      const parts = file.facts.kind === 'minutes' ? MINUTE_PATH.exec(file.path) : null;
      return parts?.[1] === formatDay(day) ? [{ ticker: parts[2], file }] : [];
    });
  }
}
