/** The notes on a record, as a whole and on its streams. */
import { MIN_RESAMPLED } from '../statistics/single-run.ts';
import { doubtOf, type JudgeNote, noteOn } from './doubts.ts';
import { FREQUENCIES, rowsOnNoSession } from './frequency.ts';
import type { Beside, JudgedStream, JudgeOptions } from './judge-stream.ts';

/** Streams by what was found when they were read. */
export interface ReadStreams {
  /** Columns without a return. */
  readonly empty: readonly string[];
  /** Those whose frequency was guessed. */
  readonly guessed: readonly string[];
}

export function notesOnRecord(
  { days, columns, form, benchmark, alternative, prior }: JudgeOptions,
  { empty, guessed }: ReadStreams,
  beside: readonly Beside[],
): JudgeNote[] {
  const named = (isMeant: (one: Beside) => boolean) => beside.filter(isMeant).map(({ stream }) => stream.name);
  const isDaily = beside.some(({ stream }) => stream.frequency === 'day');
  const closed = isDaily ? rowsOnNoSession(days) : 0;
  const doubts = form === 'returns' ? columns.map((column) => [column.name, doubtOf(column)] as const) : [];
  const doubted = (doubt: string) => doubts.flatMap(([name, found]) => (found === doubt ? [name] : []));
  const most = (countOf: (one: Beside) => number) => Math.max(...beside.map(countOf));
  return [
    ...FREQUENCIES.flatMap((frequency) =>
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

export function notesOnStreams(judged: readonly JudgedStream[]): JudgeNote[] {
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
