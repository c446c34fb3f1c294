/**
 * Collects the overviews of the newest sessions, one instrument after the other. Figures of an instrument are those of the screener,
 * from bars through the session only, so that no later event changes them.
 */
import { civilDate, type Day, dayOf } from '../market/dates.ts';
import { type BarSeries, firstIndexFrom } from '../market/series.ts';
import { requireField } from './fields.ts';
import { roundFigure, type Window } from './figures.ts';
import {
  type BreadthDay,
  COUNTED_ASSET_TYPES,
  type MarketOverview,
  moversOf,
  OVERVIEW_DAYS,
  OVERVIEW_SESSIONS,
  type OverviewItem,
  RANKED_SESSIONS,
  UNIVERSE_MAX,
} from './market-overview.ts';

const SPARK_BARS = 24;
const MEAN_SESSIONS = 20;
/** An instrument with a bar in this many calendar days is expected to have one in the session. */
const EXPECTED_DAYS = 7;

const figures = {
  dayPct: figure('change_pct', 0),
  weekPct: figure('roc_pct', 5),
  monthPct: figure('roc_pct', 21),
  yearPct: figure('roc_pct', 252),
  volumeRatio: figure('volume_ratio', 20),
  gapPct: figure('gap_pct', 0),
  newHigh: figure('new_high', 252),
  newLow: figure('new_low', 252),
  aboveSma: figure('above_sma', 200),
  dollarVolume: figure('dollar_volume', 0),
};

/** A figure of the screener; null where it is undefined. */
function figure(code: string, period: number): (window: Window) => number | null {
  const field = requireField(code);
  return (window) => {
    const value = roundFigure(field.compute(window, period));
    return Number.isNaN(value) ? null : value;
  };
}

/** The counts of a session over all instruments. */
class SessionCounts {
  readonly day: Day;
  readonly returns: number[] = [];
  readonly weekReturns: number[] = [];
  counted = 0;
  withoutBar = 0;
  newHighs = 0;
  newLows = 0;
  withSma = 0;
  aboveSma = 0;
  dollarVolume = 0;

  constructor(day: Day) {
    this.day = day;
  }

  get aboveSmaPct(): number | null {
    return this.withSma === 0 ? null : roundFigure((100 * this.aboveSma) / this.withSma);
  }

  breadth(): BreadthDay {
    const rising = this.returns.filter((value) => value > 0).length;
    const falling = this.returns.filter((value) => value < 0).length;
    const { day, newHighs, newLows } = this;
    return { day, rising, falling, unchanged: this.returns.length - rising - falling, newHighs, newLows };
  }
}

interface Listed {
  readonly id: number;
  readonly assetType: string;
  readonly delistedOn: Day | null;
}

/** An item with the closes that a mover shows. */
interface Candidate {
  readonly item: OverviewItem;
  readonly spark: readonly number[];
}

/** The instruments with the largest dollar volume at a session. */
class LargestByDollarVolume {
  private candidates: Candidate[] = [];
  private least = -1;

  wants(dollarVolume: number): boolean {
    return dollarVolume > this.least;
  }

  add(candidate: Candidate): void {
    this.candidates.push(candidate);
    if (this.candidates.length < 2 * UNIVERSE_MAX) return;
    this.candidates = this.sorted();
    this.least = this.candidates[this.candidates.length - 1].item.dollarVolume;
  }

  /** Largest first; of equal ones the lower id. */
  sorted(): Candidate[] {
    return this.candidates
      .sort(({ item: a }, { item: b }) => b.dollarVolume - a.dollarVolume || a.id - b.id)
      .slice(0, UNIVERSE_MAX);
  }
}

/** Collects overviews, one instrument after the other. */
export class OverviewCollector {
  private readonly sessions: readonly SessionCounts[];
  private readonly largest: readonly LargestByDollarVolume[];
  private readonly indices: ReadonlyMap<Day, number>;

  /** `sessions`: those that are completely loaded, ascending. */
  constructor(sessions: readonly Day[]) {
    const needed = sessions.slice(-(OVERVIEW_SESSIONS + RANKED_SESSIONS));
    this.sessions = needed.map((day) => new SessionCounts(day));
    this.largest = needed.map(() => new LargestByDollarVolume());
    this.indices = new Map(needed.map((day, i) => [day, i]));
  }

  /** Adds the whole history of an instrument: `traded` as traded, `adjusted` on the share count of its last bar. */
  add(instrument: Listed, traded: BarSeries, adjusted: BarSeries): void {
    if (!COUNTED_ASSET_TYPES.includes(instrument.assetType)) return;
    for (let t = adjusted.length - 1; t >= 0 && adjusted.day[t] >= (this.sessions[0]?.day ?? Infinity); t--) {
      const i = this.indices.get(adjusted.day[t]);
      if (i !== undefined) this.addBar(i, instrument, traded, adjusted, t);
    }
    for (let i = this.firstKept; i < this.sessions.length; i++) {
      if (isExpected(instrument, adjusted, this.sessions[i].day)) this.sessions[i].withoutBar++;
    }
  }

  private get firstKept(): number {
    return Math.max(0, this.sessions.length - OVERVIEW_SESSIONS);
  }

  private addBar(i: number, { id }: Listed, traded: BarSeries, bars: BarSeries, t: number): void {
    const session = this.sessions[i];
    const window = { bars, from: 0, to: t + 1, barsBefore: 0, carried: null, instrument: 0, blocks: null };
    const dayPct = figures.dayPct(window);
    const dollarVolume = figures.dollarVolume(window) ?? 0;
    session.counted++;
    session.dollarVolume += dollarVolume;
    if (dayPct !== null) session.returns.push(dayPct);
    if (i <= this.firstKept - OVERVIEW_DAYS) return;
    session.newHighs += figures.newHigh(window) ?? 0;
    session.newLows += figures.newLow(window) ?? 0;
    if (i < this.firstKept - 1) return;
    const aboveSma = figures.aboveSma(window);
    session.withSma += aboveSma === null ? 0 : 1;
    session.aboveSma += aboveSma ?? 0;
    if (i < this.firstKept) return;
    const weekPct = figures.weekPct(window);
    if (weekPct !== null) session.weekReturns.push(weekPct);
    if (!this.largest[i].wants(dollarVolume)) return;
    const item = {
      id,
      close: traded.close[t],
      dollarVolume,
      dayPct,
      weekPct,
      monthPct: figures.monthPct(window),
      ytdPct: ytdPct(bars, t),
      yearPct: figures.yearPct(window),
      volumeRatio: figures.volumeRatio(window),
      gapPct: figures.gapPct(window),
      streak: streakAt(bars.close, t),
    };
    const scale = traded.close[t] / bars.close[t];
    const closes = bars.close.subarray(Math.max(0, t + 1 - SPARK_BARS), t + 1);
    this.largest[i].add({ item, spark: Array.from(closes, (close) => Number((close * scale).toPrecision(5))) });
  }

  /** The overviews of the newest sessions with bars, oldest first. */
  end(): MarketOverview[] {
    const dispersions = this.sessions.map(({ returns }) => dispersionOf(returns));
    const days = this.sessions.map((session) => session.breadth());
    const kept = this.sessions.map((_, i) => i).slice(this.firstKept);
    return kept
      .filter((i) => this.sessions[i].counted > 0)
      .map((i) => ({
        ...this.figuresOf(i),
        dispersionPct: dispersions[i],
        dispersionRank: rankOfLast(dispersions.slice(Math.max(0, i + 1 - RANKED_SESSIONS), i + 1)),
        days: days.slice(Math.max(0, i + 1 - OVERVIEW_DAYS), i + 1),
      }));
  }

  private figuresOf(i: number): Omit<MarketOverview, 'dispersionPct' | 'dispersionRank' | 'days'> {
    const session = this.sessions[i];
    const before = this.sessions[i - 1];
    const largest = this.largest[i].sorted();
    const universe = largest.map(({ item }) => item);
    const movers = moversOf(universe);
    const moving = new Set(Object.values(movers).flatMap(({ rising, falling }) => [...rising, ...falling]));
    const { day, counted, withoutBar, dollarVolume, aboveSmaPct } = session;
    const aboveSmaBefore = before?.aboveSmaPct ?? null;
    const isComparable = aboveSmaPct !== null && aboveSmaBefore !== null;
    return {
      day,
      counted,
      withoutBar,
      medianPct: medianOf(session.returns),
      medianWeekPct: medianOf(session.weekReturns),
      aboveSmaPct,
      aboveSmaChange: isComparable ? roundFigure(aboveSmaPct - aboveSmaBefore) : null,
      dollarVolume: roundFigure(dollarVolume),
      dollarVolumePct: againstMean(
        dollarVolume,
        this.sessions.slice(Math.max(0, i - MEAN_SESSIONS), i).map((one) => one.dollarVolume),
      ),
      universe,
      movers,
      sparks: Object.fromEntries(
        largest.filter(({ item }) => moving.has(item.id)).map(({ item, spark }) => [item.id, spark]),
      ),
    };
  }
}

/** Whether an instrument that has no bar on a day had one shortly before and was still listed. */
function isExpected({ delistedOn }: Listed, bars: BarSeries, day: Day): boolean {
  const before = firstIndexFrom(bars, day) - 1;
  if (before < 0 || (delistedOn !== null && delistedOn <= day)) return false;
  return day - bars.day[before] <= EXPECTED_DAYS && bars.day[before + 1] !== day;
}

/** Change since the last close of the year before; null without one. */
function ytdPct(bars: BarSeries, t: number): number | null {
  const before = firstIndexFrom(bars, dayOf(civilDate(bars.day[t]).year, 1, 1)) - 1;
  return before < 0 ? null : roundFigure(100 * (bars.close[t] / bars.close[before] - 1));
}

function streakAt(close: Float64Array, t: number): number {
  const signAt = (at: number) => (at < 1 ? 0 : Math.sign(roundFigure(close[at] / close[at - 1] - 1)));
  const sign = signAt(t);
  if (sign === 0) return 0;
  let length = 1;
  while (signAt(t - length) === sign) length++;
  return sign * length;
}

function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return roundFigure(sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
}

/** The sample standard deviation; null for fewer than two values. */
function dispersionOf(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return roundFigure(Math.sqrt(squares / (values.length - 1)));
}

/** Percent of the known values that are at most the last. */
function rankOfLast(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  const last = values[values.length - 1];
  if (last === null) return null;
  return Math.round((100 * known.filter((value) => value <= last).length) / known.length);
}

/** Percent by which a value is above the mean of those before; null with fewer than 20. */
function againstMean(value: number, before: readonly number[]): number | null {
  if (before.length < MEAN_SESSIONS) return null;
  const mean = before.reduce((sum, one) => sum + one, 0) / before.length;
  return mean === 0 ? null : roundFigure(100 * (value / mean - 1));
}
