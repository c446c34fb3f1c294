/**
 * The market in memory: the directory of instruments, the sessions that may be served, and recently used series.
 * End-of-day data changes when a load commits and at midnight in New York. The data is replaced on the NOTIFY of a commit,
 * and nothing after the T+1 line is served. While notifications cannot be received, the version is polled.
 */

import type { Logger } from 'pino';
import type { Listener } from '../../db/listener.ts';
import { DATA_CHANGED_CHANNEL, selectDataVersion } from '../../db/market/data-versions.ts';
import type { ToldFinding } from '../../db/market/findings.ts';
import type { SessionLedgers } from '../../db/market/loaded-sessions.ts';
import type { Pool } from '../../db/pool.ts';
import { SYNC_JOBS_CHANNEL } from '../../db/queue/sync-jobs.ts';
import { type Adjustment, effectiveEvents, effectiveSplits } from '../../engine/market/adjust.ts';
import { DAYS_HELD_BACK, type DistributionMode } from '../../engine/market/calendar.ts';
import { type Day, FAR_FUTURE, FAR_PAST, newYorkDay, newYorkTime } from '../../engine/market/dates.ts';
import { type BarSeries, sliceByDay } from '../../engine/market/series.ts';
import type { DayRange, SessionLedger } from '../../engine/market/session-ledger.ts';
import { CONSOLIDATED_FROM, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { sessionsBehind } from '../../jobs/quality/freshness.ts';
import { Refresher } from '../../jobs/refresher.ts';
import { BarsInMemory } from './bars-in-memory.ts';
import type { Directory, DirectoryItem } from './directory.ts';
import { type MarketData, type MarketPrices, readMarketData } from './market-data.ts';
import { type LoadingRange, RunningLoads } from './running-loads.ts';

/** The part of a specification that comes from the market. */
export type MarketFacts = Pick<MarketView, 'directory' | 'distributableDay' | 'newestSession' | 'mode'>;

export interface MarketViewOptions {
  readonly listener: Listener;
  readonly pool: Pool;
  /** For reading everything again when the data has changed. */
  readonly refreshPool: Pool;
  readonly now: () => number;
  readonly mode: DistributionMode;
  readonly staleSessions: number;
  readonly seriesCacheBytes: number;
  readonly log: Logger;
}

/** The bars of an instrument that may be served, and the adjustments that apply to them. */
export interface ServedSeries {
  readonly bars: BarSeries;
  readonly splits: readonly Adjustment[];
  /** Events of all kinds, including cash dividends and spin-offs. */
  readonly events: readonly Adjustment[];
}

const POLL_MS = 1_000;

export class MarketView {
  readonly mode: DistributionMode;
  private readonly options: MarketViewOptions;
  private bars: BarsInMemory;
  private snapshot!: MarketData;
  private generation = 0;
  private readonly refresher: Refresher;
  private readonly loads: RunningLoads;
  private poll: NodeJS.Timeout | undefined;
  private dayMemo = { from: 0, until: 0, day: 0 };

  private constructor(options: MarketViewOptions) {
    this.options = options;
    this.mode = options.mode;
    this.refresher = new Refresher(() => this.reload(), options.log, 'the market data could not be read');
    this.loads = new RunningLoads(options.pool, options.log);
    this.bars = this.openBars();
  }

  static async open(options: MarketViewOptions): Promise<MarketView> {
    const view = new MarketView(options);
    await options.listener.subscribe({
      channels: {
        [DATA_CHANGED_CHANNEL]: () => view.refresher.refresh(),
        [SYNC_JOBS_CHANNEL]: () => view.loads.refresh(),
      },
      onConnected: () => {
        clearInterval(view.poll);
        if (view.snapshot) view.refreshAll();
      },
      onLost: () => {
        clearInterval(view.poll);
        view.poll = setInterval(() => view.refreshAll(), POLL_MS);
      },
    });
    view.snapshot = await readMarketData(options.refreshPool);
    await view.loads.read();
    return view;
  }

  async close(): Promise<void> {
    clearInterval(this.poll);
    await this.refresher.close();
    await this.loads.close();
  }

  private refreshAll(): void {
    this.refresher.refresh();
    this.loads.refresh();
  }

  /** Replaces the market by its current version. */
  private async reload(): Promise<void> {
    const version = await selectDataVersion(this.options.pool);
    // The notification came before the first read had finished.
    if (version === this.snapshot?.version) return;
    this.snapshot = await readMarketData(this.options.refreshPool);
    this.generation++;
    this.bars = this.openBars();
  }

  /** A new cache for each version of the data, so that bars that were read before a change are not served after it. */
  private openBars(): BarsInMemory {
    return new BarsInMemory(this.options.pool, this.options.seriesCacheBytes);
  }

  /** The version of the data that is served. It changes a moment after the commit of a load. */
  get version(): string {
    return this.snapshot.version;
  }

  get directory(): Directory {
    return this.snapshot.directory;
  }

  /** Symbols for examples, popular ones first; none while nothing is loaded. */
  get examples(): readonly string[] {
    return this.snapshot.examples;
  }

  /** Changes whenever anything that is served may have changed. */
  get cacheVersion(): string {
    // Running loads matter only to answers with missing sessions.
    const loads = this.ledger.isComplete ? '' : `.${this.loads.version}`;
    return `${this.generation}${loads}:${this.distributableDay}`;
  }

  /** The missing sessions of the consolidated basis. */
  get ledger(): SessionLedger {
    return this.snapshot.ledgers.consolidated;
  }

  /** The missing sessions of the histories that backtests run on. */
  get historyLedger(): SessionLedger {
    return this.snapshot.ledgers.spliced;
  }

  /** Doubts about the bars of an instrument from one day to another. */
  findings({ id }: Pick<DirectoryItem, 'id'>, start: Day, end: Day): readonly ToldFinding[] {
    const all = this.snapshot.findings.get(id) ?? [];
    return all.filter(({ day, until }) => start < until && day <= end);
  }

  /** The form of the prices of all instruments; null: nothing is loaded. */
  get prices(): MarketPrices | null {
    return this.snapshot.prices;
  }

  /** Loads of whole sessions that wait or run. */
  get loading(): RunningLoads['progress'] {
    return this.loads.progress;
  }

  /** Why data that is made after loads is not there, for its error. */
  get whyNotReady(): { readonly because?: 'loading' } {
    return this.newestSession === null || this.loading.length > 0 ? { because: 'loading' } : {};
  }

  /** Whether a running load covers sessions that are missing in one of the ranges. */
  isBeingLoaded(history: keyof SessionLedgers, ranges: readonly DayRange[]): boolean {
    const ledger = this.snapshot.ledgers[history];
    const isMissing = ({ venueBasis, start, end }: LoadingRange, range: DayRange) => {
      const [first, last] = history === 'spliced' ? servedDays(venueBasis) : [start, end];
      const from = Math.max(range.start, start, first);
      return ledger.firstMissing(from, Math.min(range.end, end, last)) !== null;
    };
    const loading = this.loads.loading.filter(({ venueBasis }) => history === 'spliced' || venueBasis === history);
    return loading.some((load) => ranges.some((range) => isMissing(load, range)));
  }

  /** Today in New York. */
  get today(): Day {
    return this.currentDay();
  }

  /** Milliseconds until midnight in New York, when what may be served changes. */
  get msToMidnight(): number {
    this.currentDay();
    return this.dayMemo.until - this.options.now();
  }

  /** The newest day whose bars may be served now. */
  get distributableDay(): Day {
    return this.currentDay() - DAYS_HELD_BACK[this.mode];
  }

  private currentDay(): Day {
    const now = this.options.now();
    if (now < this.dayMemo.from || now >= this.dayMemo.until) {
      const day = newYorkDay(now);
      this.dayMemo = { from: newYorkTime(day, 0), until: newYorkTime(day + 1, 0), day };
    }
    return this.dayMemo.day;
  }

  /** The newest session that is loaded and may be distributed; null while nothing is loaded. */
  get newestSession(): Day | null {
    const limit = this.distributableDay;
    return this.snapshot.sessions.findLast((day) => day <= limit) ?? null;
  }

  /** The oldest session with consolidated bars. */
  get oldestSession(): Day | null {
    return this.snapshot.sessions[0] ?? null;
  }

  /** The newest session with consolidated bars on or before a day, or else the oldest one. */
  sessionNear(day: Day): Day | null {
    return this.snapshot.sessions.findLast((session) => session <= day) ?? this.oldestSession;
  }

  /** Throws when so many published sessions are missing that a quote would be stale. */
  assertFresh(): void {
    const { publishedSession } = this.snapshot;
    if (publishedSession === null) return;
    const loaded = this.newestSession;
    const behind = loaded === null ? Infinity : sessionsBehind(loaded, publishedSession, this.options.now());
    if (behind > this.options.staleSessions) throw new ServiceError('upstream_unavailable');
  }

  /** The consolidated bars of an instrument that may be served, oldest first. */
  async series(item: DirectoryItem): Promise<ServedSeries> {
    return this.served(item, await this.bars.series(item.id));
  }

  /** The newest of these bars: two if there are that many. Without a promise, unless several sessions are held back. */
  newest(item: DirectoryItem): ServedSeries | Promise<ServedSeries> {
    const bars = this.snapshot.newest.of(item.id, this.distributableDay);
    return bars ? this.served(item, bars) : this.series(item);
  }

  /** Bytes of the series in memory. */
  get seriesBytes(): number {
    return this.bars.bytes;
  }

  /** Bytes of the newest bars in memory. */
  get newestBytes(): number {
    return this.snapshot.newest.bytes;
  }

  private served({ id }: DirectoryItem, all: BarSeries): ServedSeries {
    const bars = sliceByDay(all, FAR_PAST, this.distributableDay);
    const events = this.snapshot.adjustments.get(id);
    if (!events || bars.length === 0) return { bars, splits: [], events: [] };
    const anchor = bars.day[bars.length - 1];
    return { bars, splits: effectiveSplits(events, anchor), events: effectiveEvents(events, anchor, 'total') };
  }

  /** Whether the instrument has primary-session bars, which backtests read before the consolidated ones. */
  hasOlderBars({ id }: DirectoryItem): Promise<boolean> {
    return this.bars.hasOlder(id);
  }
}

/** Days for which spliced histories take their bars from a venue basis. */
function servedDays(venueBasis: VenueBasis): readonly [Day, Day] {
  if (venueBasis === 'consolidated') return [CONSOLIDATED_FROM, FAR_FUTURE];
  return venueBasis === 'primary_session' ? [FAR_PAST, CONSOLIDATED_FROM - 1] : [0, -1];
}
