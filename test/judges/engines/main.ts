/**
 * `npm run engines [-- --only ENGINE] [--quick] [--record]`: engines that know nothing of the service read the tables of a fresh one,
 * whose objects are in an S3 server that was not written here, and answer the same twelve questions. Spark computes a sweep and the
 * panel of a rotation, too. Ends with 1 if two answers differ, or an engine fails.
 */
import '../../../ops/node-version.cjs';
import { Command, Option } from 'commander';
import { PythonUnavailable, type Variables } from '../../support/python-environment.ts';
import { type Bucket, withBucket } from './bucket.ts';
import { ENGINES, type Engine, type Environment, openEnvironment, SPARK } from './engine.ts';
import { writePage } from './page.ts';
import { type Answers, type EngineResult, isEqual, type SkippedEngine, toText } from './report.ts';
import { type TablesService, withTables } from './service.ts';
import { compareOnSpark, isSameOnSpark, type SparkComparison, sparkText } from './spark-sweep.ts';

interface Options {
  readonly only?: string;
  readonly quick?: boolean;
  readonly record?: boolean;
}

/** A quick run installs no further engine after so long: a pipeline does not wait for registries. */
const QUICK_MS = 5 * 60_000;

const command = new Command('engines')
  .addOption(new Option('--only <engine>', 'one engine').choices(ENGINES.map(({ name }) => name)))
  .option('--quick', 'only small engines, and install none after five minutes')
  .option('--record', 'write the connections and the results to the page')
  .parse();
const { only, quick = false, record = false } = command.opts<Options>();
if (record && (only || quick)) command.error('error: --record needs all engines, without --only and --quick');

const progress = (line: string) => void process.stderr.write(`${line}\n`);
const environments = new Map<Engine, Environment>();
const results: EngineResult[] = [];
const skipped: SkippedEngine[] = [];

async function install(engine: Engine): Promise<void> {
  const { name, isLarge } = engine;
  if (quick && (isLarge || performance.now() > QUICK_MS)) {
    skipped.push({ name, reason: isLarge ? 'a quick run leaves it out' : 'the time of a quick run is over' });
    return;
  }
  try {
    environments.set(engine, await openEnvironment(engine, progress));
  } catch (error) {
    if (!(error instanceof PythonUnavailable)) throw error;
    skipped.push({ name, reason: error.message });
  }
}

async function ask(service: TablesService, engine: Engine, environment: Environment, more: Variables): Promise<void> {
  const { name, script, needs } = engine;
  progress(`${name} …`);
  const reader = await service.addReader(name);
  const start = performance.now();
  try {
    const variables = { MARKET_DATA_URL: reader.url, MARKET_DATA_KEY: reader.key, ...more };
    const answers = await environment.run<Answers>(script, reader.question, variables);
    const seconds = (performance.now() - start) / 1000;
    results.push({ engine, answers, seconds, calls: await service.countCalls(reader) });
  } catch (error) {
    const isMissing = needs && error instanceof Error && error.message.includes(needs.sign);
    if (!isMissing) throw error;
    skipped.push({ name, reason: `it needs ${needs.what}` });
  }
}

/** Asks every engine. Null: Spark is not among those that answered. */
async function askAll(service: TablesService, bucket: Bucket | null): Promise<SparkComparison | null> {
  for (const [engine, environment] of environments) {
    if (engine.reads === 'catalog') await ask(service, engine, environment, {});
    else if (bucket) await ask(service, engine, environment, bucket.variables);
    else skipped.push({ name: engine.name, reason: 'there is no S3 server' });
  }
  const environment = results.some(({ engine }) => engine === SPARK) ? environments.get(SPARK) : undefined;
  if (!environment) return null;
  progress('a sweep on Spark …');
  return compareOnSpark(service, environment);
}

function withService(bucket: Bucket | null): Promise<SparkComparison | null> {
  progress('starting a service with the sample market …');
  return withTables((service) => askAll(service, bucket), bucket?.settings);
}

/** In a folder, where no S3 server can be installed. */
function withStorage(): Promise<SparkComparison | null> {
  return withBucket(progress, withService).catch((error) => {
    if (!(error instanceof PythonUnavailable)) throw error;
    progress(`the tables are in a folder: ${error.message}`);
    return withService(null);
  });
}

for (const engine of ENGINES.filter(({ name }) => only === undefined || name === only)) await install(engine);
const spark = environments.size > 0 ? await withStorage() : null;
const areEqual = isEqual(results) && (spark === null || isSameOnSpark(spark));
process.stdout.write(`${spark === null ? '' : `${sparkText(spark)}\n`}${toText(results, skipped)}`);
if (!areEqual) process.exitCode = 1;
if (record) {
  if (skipped.length > 0 || !areEqual || spark === null)
    command.error('error: nothing is recorded: answers differ, or an engine was skipped');
  else writePage(results, spark);
}
