/** Cells of a sweep by Spark beside the workers of a service, on this machine. */

import { PythonUnavailable } from '../../support/python-environment.ts';
import { SPARK as ENGINE, type Environment, openEnvironment } from '../engines/engine.ts';
import { withTables } from '../engines/service.ts';
import { measureOnSpark, measureOnWorkers, measureSubmit, type SweepTimes } from '../engines/spark-sweep.ts';
import type { Bench } from './market.ts';
import { type Figure, IS_QUICK, median, ratioFigure } from './measure.ts';

const absent = (reason: string) => {
  process.stderr.write(`spark.cells_vs_fleet is absent: ${reason}\n`);
  return new Map();
};

/** A row of comparison: it is absent where Spark cannot be installed or started. */
const benchSpark: Bench = async () => {
  if (IS_QUICK) return absent('a quick run starts no Spark');
  try {
    const environment = await openEnvironment(ENGINE, (line) => void process.stderr.write(`${line}\n`));
    return new Map([['spark.cells_vs_fleet', await measure(environment)]]);
  } catch (error) {
    if (error instanceof PythonUnavailable) return absent(error.message);
    if (ENGINE.needs && error instanceof Error && error.message.includes(ENGINE.needs.sign))
      return absent(`it needs ${ENGINE.needs.what}`);
    throw error;
  }
};

async function measure(environment: Environment): Promise<Figure> {
  const { times: oneThread } = await withTables(measureOnWorkers, {
    WORKER_SLOTS: 'interactive=2,background=2,sweep=1',
  });
  const { workers, oneExecutor, twoExecutors, submitS } = await withTables(
    async (service) => ({
      workers: await measureOnWorkers(service),
      oneExecutor: await measureOnSpark(service, environment, 1),
      twoExecutors: await measureOnSpark(service, environment, 2),
      submitS: await measureSubmit(service, environment),
    }),
    { WORKER_SLOTS: 'interactive=2,background=2,sweep=2' },
  );
  const { cells, times: twoThreads } = workers;
  const ratesOf = ({ whole }: SweepTimes) => whole.map((seconds) => cells.whole / seconds);
  /** Cells per second of those that the larger sweep has more, and the seconds without any. */
  const linear = ({ whole, single }: SweepTimes) => {
    const rate = (cells.whole - cells.single) / (median(whole) - median(single));
    return `${Math.round(rate)} after ${(median(single) - cells.single / rate).toFixed(1)} s`;
  };
  const note =
    `${cells.whole} cells; cells/s: one thread ${linear(oneThread)}, two ${linear(twoThreads)}, ` +
    `one executor ${linear(oneExecutor)}, two ${linear(twoExecutors)}; command for ${cells.single}: ${submitS.toFixed(1)} s`;
  return ratioFigure(ratesOf(twoExecutors), ratesOf(twoThreads), 'cells/s', note);
}

export const SPARK = { spark: benchSpark };
