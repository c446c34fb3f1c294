/** Judges records that were made elsewhere: each stream by itself, and the best of several after the choice. */
import { type HeldValue, heldReturns, valueOfStream } from './benchmark.ts';
import type { JudgeNote } from './doubts.ts';
import { guessFrequency } from './frequency.ts';
import { besideOf, type JudgedStream, type JudgeOptions, judgeStream, type OnDays } from './judge-stream.ts';
import { notesOnRecord, notesOnStreams } from './notes.ts';
import { areFew, chooseAmong, commonRows, type StreamChoice } from './selection.ts';
import { rowsWithValue, type Stream, streamOf } from './streams.ts';

/** Why a record cannot be judged. */
export class RecordRefused extends Error {
  override readonly name = 'RecordRefused';
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

function streamsOf({ days, columns, form, frequency }: JudgeOptions) {
  const streams: Stream[] = [];
  const frequencyOf = (some: Int32Array) => frequency ?? guessFrequency(some);
  const ofAll = frequencyOf(days);
  const whole = form === 'returns' ? days : days.subarray(1);
  const [empty, guessed]: [string[], string[]] = [[], []];
  for (const column of columns) {
    const rows = rowsWithValue(column);
    const own = rows.length === days.length ? ofAll : frequencyOf(rows.map((row) => days[row]));
    if (own === null)
      throw new RecordRefused(`the rows of ${column.name} are further apart than months: frequency says what they are`);
    const stream = streamOf(days, column, form, own, whole);
    if (stream === null) empty.push(column.name);
    else streams.push(stream);
    if (stream !== null && frequency === null) guessed.push(column.name);
  }
  return { streams, empty, guessed };
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
  const known = new Map<Int32Array, OnDays>();
  const beside = streams.map((stream) => besideOf(stream, value, options, known));
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
