/** Cells of a sweep by Spark beside the workers of a service, on this machine. */
import { SPARK as ENGINE, openEnvironment } from '../engines/engine.ts';
import { withTables } from '../engines/service.ts';
import { measureOnSpark } from '../engines/spark-sweep.ts';
import { PythonUnavailable } from '../python/environment.ts';
import type { Bench } from './market.ts';
import { IS_QUICK, median, ratioFigure } from './measure.ts';

const absent = (reason: string) => {
  process.stderr.write(`spark.cells_vs_fleet is absent: ${reason}\n`);
  return new Map();
};

/** A row of comparison: it is absent where Spark cannot be installed or started. */
const benchSpark: Bench = async () => {
  if (IS_QUICK) return absent('a quick run starts no Spark');
  try {
    const environment = await openEnvironment(ENGINE, (line) => void process.stderr.write(`${line}\n`));
    const { cells, workers, one, two } = await withTables((service) => measureOnSpark(service, environment));
    const [ofWorkers, ofOne, ofTwo] = [workers, one, two].map((seconds) => seconds.map((s) => cells / s));
    const alone = Math.round(median(ofOne));
    return new Map([
      [
        'spark.cells_vs_fleet',
        ratioFigure(
          ofTwo,
          ofWorkers,
          'cells/s',
          `two executors; ${cells} cells by the workers; one executor: ${alone}`,
        ),
      ],
    ]);
  } catch (error) {
    if (error instanceof PythonUnavailable) return absent(error.message);
    if (ENGINE.needs && error instanceof Error && error.message.includes(ENGINE.needs.sign))
      return absent(`it needs ${ENGINE.needs.what}`);
    throw error;
  }
};

export const SPARK = { spark: benchSpark };
