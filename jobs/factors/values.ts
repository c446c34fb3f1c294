/** The job that writes the values of a factor of a study to a file: a row a session and member that has one. */
import { Readable } from 'node:stream';
import { selectSweep } from '../../db/sweeps/sweeps.ts';
import { evaluateSessions } from '../../engine/rules/market-values.ts';
import { factorValuesKey } from '../../storage/keys.ts';
import { type FactorSpec, factorSpecSchema, factorValuesSpecSchema } from '../contracts/factors.ts';
import { type JobContext, PermanentFailure } from '../contracts/job-context.ts';
import { ParquetFile } from '../parquet/parquet-file.ts';
import { finishUncached, type RunContext, runFrame } from '../runs/frame.ts';
import { openStudy } from './chunk.ts';

type ValuesContext = RunContext & Pick<JobContext, 'storage' | 'signal' | 'rotationBars'>;

/** Members × sessions of a row group. */
const GROUP_CELLS = 2_000_000;

export function runValuesJob(context: ValuesContext, { runId }: { readonly runId: string }): Promise<void> {
  return runFrame(context, runId, async (run) => {
    const { studyId, place } = factorValuesSpecSchema.parse(JSON.parse(run.spec));
    const study = await selectSweep(context.pool, studyId);
    if (study === null) throw new PermanentFailure('the study was removed');
    const spec = factorSpecSchema.parse(study.spec);
    const key = factorValuesKey(study.userId, studyId, place);
    const bytes = await context.storage.put(key, Readable.from(fileOf(context, spec, place)));
    await finishUncached(context, { bytes });
    return null;
  });
}

async function* fileOf(context: ValuesContext, spec: FactorSpec, place: number): AsyncGenerator<Buffer> {
  const { universe, sessions, others, programs, symbolOf } = await openStudy(context, spec, [spec.factors[place]]);
  const { clock, first, members } = universe;
  const { where, factors: values } = programs;
  const file = new ParquetFile('values', [
    { name: 'date', type: 'date' },
    { name: 'symbol', type: 'text' },
    { name: 'value', type: 'double' },
  ]);
  const market = universe.market();
  const size = Math.max(1, Math.floor(GROUP_CELLS / members.length));
  for (let from = 0; from < sessions.looked.length; from += size) {
    context.signal.throwIfAborted();
    const some = sessions.looked.slice(from, from + size);
    const [days, symbols, figures]: [number[], string[], number[]] = [[], [], []];
    const when = { sessions: universe.sessions, asked: some.map((at) => first + at) };
    await evaluateSessions(market, { where, values }, when, others, (index, { values: [own] }) => {
      for (const [member, value] of own.entries()) {
        if (Number.isNaN(value)) continue;
        days.push(clock[some[index]]);
        symbols.push(symbolOf(member));
        figures.push(value);
      }
    });
    if (days.length > 0) yield file.group([days, symbols, figures], days.length);
  }
  yield file.finish();
}
