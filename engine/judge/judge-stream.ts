/** One stream of a record, judged beside what was held. */
import { excessOf, type Nights } from '../backtest/rates.ts';
import { momentsOf } from '../statistics/moments.ts';
import {
  criticalSharpe,
  firstAutocorrelation,
  observedFdr,
  type SerialMoments,
  serialPsr,
  serialTrackRecord,
  sharpePower,
} from '../statistics/serial-sharpe.ts';
import { MIN_RESAMPLED, type RunStatistics, statisticsOfRun } from '../statistics/single-run.ts';
import { ResampledPaths } from '../tear-sheet/chance.ts';
import { type DayPeriods, dayPeriodsOf } from '../tear-sheet/periods.ts';
import { endPart } from '../util/parts.ts';
import { type HeldValue, heldReturns } from './benchmark.ts';
import { type Frequency, missingPeriods, PERIODS_PER_YEAR } from './frequency.ts';
import { RECORD_CAPITAL, type RecordSheet, recordSheet } from './sheet.ts';
import type { RecordColumn, RecordForm, Stream } from './streams.ts';

export interface JudgeOptions {
  /** The days of the rows of the record, ascending. */
  readonly days: Int32Array;
  readonly columns: readonly RecordColumn[];
  readonly form: RecordForm;
  /** Null: it is guessed for each stream. */
  readonly frequency: Frequency | null;
  /** The benchmark of the streams; `value` null: the column of that name. */
  readonly benchmark: { readonly name: string; readonly value: HeldValue | null } | null;
  /** The risk-free nights on some days. */
  readonly riskFreeOn: ((days: Int32Array) => Nights) | null;
  /** Whether the record was chosen among others that it does not have. */
  readonly isChosen: boolean;
  /** Sharpe ratio a year of a stream with skill, and the share of streams that have it. */
  readonly alternative: number;
  readonly prior: number;
  /** Streams that are resampled; none: the best ones. */
  readonly detail: readonly string[];
  /** 16 hex digits; null: nothing is resampled. */
  readonly seed: string | null;
}

export interface SerialFigures {
  readonly rho: number;
  readonly psr: number | null;
  readonly minTrackRecord: number | null;
  /** Per period. */
  readonly criticalSharpe: number | null;
  readonly power: number | null;
}

export interface JudgedStream {
  readonly stream: Stream;
  /** Periods from its first row to the last one without a value. */
  readonly missing: number;
  readonly statistics: RunStatistics;
  /** Null for a short stream, and for one that does not vary. */
  readonly serial: SerialFigures | null;
  readonly fdr: number | null;
  readonly sheet: RecordSheet;
}

/** The figures of some days, which all streams on them share. */
export interface OnDays {
  readonly held: Float64Array | null;
  readonly heldGaps: number;
  readonly riskFree: Nights | null;
  readonly periods: DayPeriods;
  readonly missing: number;
}

/** A stream with what it is judged beside. */
export interface Beside extends OnDays {
  readonly stream: Stream;
}

export function besideOf(
  stream: Stream,
  value: HeldValue | null,
  { riskFreeOn }: JudgeOptions,
  known: Map<Int32Array, OnDays>,
): Beside {
  const { days, base, frequency } = stream;
  const shared = known.get(days);
  if (shared !== undefined) return { stream, ...shared };
  const held = value && heldReturns(value, days, base);
  const onDays = {
    held: held?.returns ?? null,
    heldGaps: held?.gaps ?? 0,
    periods: dayPeriodsOf(days),
    riskFree: riskFreeOn?.(days) ?? null,
    missing: missingPeriods(days, frequency),
  };
  known.set(days, onDays);
  return { stream, ...onDays };
}

function serialMoments(returns: Float64Array): SerialMoments | null {
  const moments = returns.length < MIN_RESAMPLED ? null : momentsOf(returns);
  return moments && { ...moments, rho: firstAutocorrelation(returns, moments) };
}

function serialFigures(moments: SerialMoments, alternative: number): SerialFigures {
  return {
    rho: moments.rho,
    psr: serialPsr(moments, 0),
    minTrackRecord: serialTrackRecord(moments, 0),
    criticalSharpe: criticalSharpe(moments, 0),
    power: sharpePower(moments, 0, alternative),
  };
}

function statisticsOf({ stream, held, riskFree }: Beside, seed: string | null, paths?: ResampledPaths): RunStatistics {
  const { days, base, returns, frequency } = stream;
  // The first return of weeks or months is of the days before its row, too.
  const calendarDays = days[days.length - 1] - (frequency === 'day' ? days[0] : base);
  const [excess, market] = [excessOf(returns, riskFree), held && excessOf(held, riskFree)];
  return statisticsOfRun(returns, market, calendarDays, seed, paths, excess, PERIODS_PER_YEAR[frequency]);
}

interface Detail {
  readonly isChosen: boolean;
  readonly seed: string | null;
  readonly hasSeries: boolean;
}

export function judgeStream(beside: Beside, { alternative, prior }: JudgeOptions, detail: Detail): JudgedStream {
  endPart();
  const { seed } = detail;
  const { stream, held, riskFree, periods, missing } = beside;
  const { returns, frequency } = stream;
  const paths = seed === null ? undefined : new ResampledPaths(returns, RECORD_CAPITAL);
  const statistics = statisticsOf(beside, seed, paths);
  const moments = serialMoments(returns);
  const perPeriod = alternative / Math.sqrt(PERIODS_PER_YEAR[frequency]);
  return {
    stream,
    statistics,
    missing,
    serial: moments && serialFigures(moments, perPeriod),
    fdr: moments && observedFdr(moments, 0, perPeriod, prior),
    sheet: recordSheet({ ...detail, stream, held, riskFree, paths, periods, skill: statistics.skill }),
  };
}
