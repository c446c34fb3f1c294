/** Judges records that were made elsewhere: each stream by itself, and the best of several after the choice. */
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
import { endPart } from '../util/parts.ts';
import { type HeldValue, heldReturns, valueOfStream } from './benchmark.ts';
import { doubtOf, type JudgeNote, noteOn } from './doubts.ts';
import { type Frequency, guessFrequency, missingPeriods, PERIODS_PER_YEAR, rowsOnNoSession } from './frequency.ts';
import { areFew, chooseAmong, commonRows, type StreamChoice } from './selection.ts';
import { RECORD_CAPITAL, type RecordSheet, recordSheet } from './sheet.ts';
import { type RecordColumn, type RecordForm, rowsWithValue, type Stream, streamOf } from './streams.ts';

/** Why a record cannot be judged. */
export class RecordRefused extends Error {
  override readonly name = 'RecordRefused';
}

export interface JudgeOptions {
  /** Of the rows of the record, ascending. */
  readonly days: Int32Array;
  readonly columns: readonly RecordColumn[];
  readonly form: RecordForm;
  /** Null: it is guessed for each stream. */
  readonly frequency: Frequency | null;
  /** What was held beside the streams; `value` null: the column of that name. */
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

export interface Judgement {
  readonly streams: readonly JudgedStream[];
  /** Null for one stream, and where few rows are in common. */
  readonly choice: StreamChoice | null;
  readonly notes: readonly JudgeNote[];
}

/** Streams that are resampled unless others are asked for. */
export const MOST_RESAMPLED = 20;
/** Rows of series that an answer has at most, but for those of its first stream. */
const MOST_ROWS = 20_000;

/** A stream with what it is judged beside. */
interface Beside {
  readonly stream: Stream;
  readonly held: Float64Array | null;
  readonly heldGaps: number;
  readonly riskFree: Nights | null;
}

function streamsOf({ days, columns, form, frequency }: JudgeOptions) {
  const streams: Stream[] = [];
  const [empty, guessed]: [string[], string[]] = [[], []];
  for (const column of columns) {
    const rows = rowsWithValue(column);
    const own = frequency ?? guessFrequency(rows.length === days.length ? days : rows.map((row) => days[row]));
    if (own === null)
      throw new RecordRefused(`the rows of ${column.name} are further apart than months: frequency says what they are`);
    const stream = streamOf(days, column, form, own);
    if (stream === null) empty.push(column.name);
    else streams.push(stream);
    if (stream !== null && frequency === null) guessed.push(column.name);
  }
  return { streams, empty, guessed };
}

function besideOf(stream: Stream, value: HeldValue | null, { riskFreeOn }: JudgeOptions): Beside {
  const held = value && heldReturns(value, stream.days, stream.base);
  return {
    stream,
    held: held?.returns ?? null,
    heldGaps: held?.gaps ?? 0,
    riskFree: riskFreeOn?.(stream.days) ?? null,
  };
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
  const { days, returns, frequency } = stream;
  const calendarDays = days[days.length - 1] - days[0];
  const [excess, market] = [excessOf(returns, riskFree), held && excessOf(held, riskFree)];
  return statisticsOfRun(returns, market, calendarDays, seed, paths, excess, PERIODS_PER_YEAR[frequency]);
}

interface Detail {
  readonly isChosen: boolean;
  readonly seed: string | null;
  readonly hasSeries: boolean;
}

function judgeStream(beside: Beside, { alternative, prior }: JudgeOptions, detail: Detail): JudgedStream {
  endPart();
  const { seed } = detail;
  const { stream, held, riskFree } = beside;
  const { returns, days, frequency } = stream;
  const paths = seed === null ? undefined : new ResampledPaths(returns, RECORD_CAPITAL);
  const statistics = statisticsOf(beside, seed, paths);
  const moments = serialMoments(returns);
  const perPeriod = alternative / Math.sqrt(PERIODS_PER_YEAR[frequency]);
  return {
    stream,
    statistics,
    missing: missingPeriods(days, frequency),
    serial: moments && serialFigures(moments, perPeriod),
    fdr: moments && observedFdr(moments, 0, perPeriod, prior),
    sheet: recordSheet({ ...detail, stream, held, riskFree, paths, skill: statistics.skill }),
  };
}

/** The numbers of the streams that are resampled, the best first. */
function detailed(streams: readonly JudgedStream[], detail: readonly string[]): number[] {
  const known = new Map(streams.map(({ stream }, i) => [stream.name, i]));
  const unknown = detail.find((name) => !known.has(name));
  if (unknown !== undefined) throw new RecordRefused(`detail names ${unknown}, which is no stream of the record`);
  if (detail.length > 0) return detail.map((name) => known.get(name) ?? 0);
  const worth = ({ statistics, sheet }: JudgedStream) =>
    statistics.skill?.appraisal ?? sheet.returns.sharpe ?? Number.NEGATIVE_INFINITY;
  return [...streams.keys()].sort((a, b) => worth(streams[b]) - worth(streams[a]) || a - b).slice(0, MOST_RESAMPLED);
}

/** Throws `RecordRefused`. */
export function judge(options: JudgeOptions): Judgement {
  const { benchmark, seed } = options;
  const read = streamsOf(options);
  const own = read.streams.find(({ name }) => name === benchmark?.name);
  const streams = read.streams.filter((stream) => stream !== own);
  if (streams.length === 0) throw new RecordRefused('no column has a return');
  const value = benchmark && (own ? valueOfStream(own) : benchmark.value);
  if (benchmark !== null && value === null)
    throw new RecordRefused(`the benchmark ${benchmark.name} is neither a symbol nor a column with returns`);
  const beside = streams.map((stream) => besideOf(stream, value, options));
  const isChosen = options.isChosen || streams.length > 1;
  const figures = beside.map((one) => judgeStream(one, options, { isChosen, seed: null, hasSeries: false }));
  const chosen = seed === null ? [] : detailed(figures, options.detail);
  const judged = [...figures];
  let rows = 0;
  let cut = 0;
  for (const [rank, i] of chosen.entries()) {
    rows += streams[i].days.length;
    const hasSeries = rank === 0 || rows <= MOST_ROWS;
    if (!hasSeries) cut++;
    judged[i] = judgeStream(beside[i], options, { isChosen, seed, hasSeries });
  }
  const choice = choiceOf(streams, value, options);
  return {
    streams: judged,
    choice: choice.made,
    notes: [
      ...notesOnRecord(options, read, beside),
      ...notesOnStreams(judged),
      ...choice.notes,
      ...(streams.length > chosen.length - cut ? figuresOnly(streams.length, chosen.length - cut) : []),
    ],
  };
}

const figuresOnly = (streams: number, shown: number): JudgeNote[] => [
  { code: 'figures_only', details: { streams: streams - shown } },
];

interface Choice {
  readonly made: StreamChoice | null;
  readonly notes: readonly JudgeNote[];
}

function choiceOf(streams: readonly Stream[], value: HeldValue | null, options: JudgeOptions): Choice {
  if (streams.length === 1) return { made: null, notes: [] };
  if (new Set(streams.map(({ frequency }) => frequency)).size > 1)
    return { made: null, notes: [{ code: 'mixed_frequency', details: {} }] };
  const { days, riskFreeOn, seed } = options;
  const common = commonRows(streams, days.length);
  if (areFew(common, streams))
    return { made: null, notes: [{ code: 'few_common', details: { periods: common.length } }] };
  // A return is from the row before, whether or not all streams have that one.
  const first = streams[0].base;
  const all = days.subarray(days.findIndex((day) => day > first));
  const offset = days.length - all.length;
  const held = value && heldReturns(value, all, first).returns;
  const nights = riskFreeOn?.(all) ?? null;
  const inCommon = (values: Float64Array) => Float64Array.from(common, (row) => values[row - offset]);
  const made = chooseAmong({
    streams,
    common,
    seed,
    held: held && inCommon(held),
    riskFree: nights && { gaps: nights.gaps, returns: inCommon(nights.returns) },
  });
  return { made, notes: [] };
}

function notesOnRecord(
  { days, columns, form, benchmark, alternative, prior }: JudgeOptions,
  { empty, guessed }: ReturnType<typeof streamsOf>,
  beside: readonly Beside[],
): JudgeNote[] {
  const named = (isMeant: (one: Beside) => boolean) => beside.filter(isMeant).map(({ stream }) => stream.name);
  const isDaily = beside.some(({ stream }) => stream.frequency === 'day');
  const closed = isDaily ? rowsOnNoSession(days) : 0;
  const doubts = form === 'returns' ? columns.map((column) => [column.name, doubtOf(column)] as const) : [];
  const doubted = (doubt: string) => doubts.flatMap(([name, found]) => (found === doubt ? [name] : []));
  const most = (countOf: (one: Beside) => number) => Math.max(...beside.map(countOf));
  return [
    ...(['day', 'week', 'month'] as const).flatMap((frequency) =>
      noteOn(
        'frequency_guessed',
        named(({ stream }) => stream.frequency === frequency && guessed.includes(stream.name)),
        { frequency },
      ),
    ),
    ...noteOn('percent', doubted('percent')),
    ...noteOn('equity', doubted('equity')),
    ...noteOn('empty_streams', empty),
    ...(closed > 0 ? [{ code: 'no_session', details: { rows: closed } } as const] : []),
    ...(benchmark === null ? [{ code: 'no_benchmark', details: {} } as const] : []),
    ...noteOn(
      'benchmark_gaps',
      named(({ heldGaps }) => heldGaps > 0),
      { periods: most(({ heldGaps }) => heldGaps) },
    ),
    ...noteOn(
      'risk_free_gaps',
      named(({ riskFree }) => riskFree !== null && riskFree.gaps > 0),
      { nights: most(({ riskFree }) => riskFree?.gaps ?? 0) },
    ),
    { code: 'assumed', details: { sharpe: alternative, prior } },
  ];
}

function notesOnStreams(judged: readonly JudgedStream[]): JudgeNote[] {
  const named = (isMeant: (one: JudgedStream) => boolean) => judged.filter(isMeant).map(({ stream }) => stream.name);
  return [
    ...noteOn(
      'gaps',
      named(({ missing }) => missing > 0),
      { periods: Math.max(...judged.map(({ missing }) => missing)) },
    ),
    ...noteOn(
      'short_record',
      named(({ stream }) => stream.days.length < MIN_RESAMPLED),
      { least: MIN_RESAMPLED },
    ),
  ];
}
