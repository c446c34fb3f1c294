/** A sweep and the panel of a rotation on Spark beside those of the service, and a run in which an executor is killed. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { z } from 'zod';
import { withoutMarket } from '../../../engine/market/symbols.ts';
import { STRATEGIES } from '../../../engine/strategies/catalogue.ts';
import { runCommand } from '../../support/python-environment.ts';
import type { Environment } from './engine.ts';
import { ourPanel, PANEL, type PanelRow } from './our-panel.ts';
import type { Reader, TablesService } from './service.ts';

/** The commands of the page: one makes the program for Spark, one computes the cells of `request.json`. */
export const SWEEP_COMMANDS = {
  build: 'npm run build:spark',
  submit:
    'spark-submit --properties-file ops/deploy/spark/lake.conf --conf spark.sql.catalog.lake.uri=$MARKET_DATA_URL/iceberg ' +
    'ops/deploy/spark/sweep.py request.json cells',
} as const;

const ENGINE = resolve('.cache/sweep-engine.cjs');
const SCRIPT = fileURLToPath(new URL('run_spark_sweep.py', import.meta.url));

/** Every strategy, a grid, and rules that compare with another instrument. */
const requestOf = (symbol: string) => ({
  universe: 'all',
  runs: [
    ...STRATEGIES.map(({ code }) => ({ strategy: code })),
    {
      strategy: 'sma_cross',
      grid: { fast_period: { from: 4, to: 40, step: 4 }, slow_period: { from: 50, to: 240, step: 5 } },
    },
    {
      strategy: 'rules',
      rules: { entry: `close > sma($n) and of('${withoutMarket(symbol)}', roc(20)) > 0`, exit: 'close < sma($n)' },
      grid: { n: { from: 10, to: 200, step: 10 } },
    },
  ],
  time_range: 'MAX',
  adjust: 'total',
  execute_on: 'next_open',
  cost: { commission_rate: 0.0005, slippage_bps: 5 },
});

type Request = ReturnType<typeof requestOf>;

/** All cells of a sweep, and the seconds from the request to the last cell. */
interface Cells {
  readonly count: number;
  readonly digest: string;
  readonly seconds: number;
}

const secondsSince = (start: number) => (performance.now() - start) / 1000;

/** Digest of all cells, by symbol, strategy, and parameters: equal ones have equal figures to the last digit. */
async function digestOf(files: readonly Buffer[]): Promise<Digest> {
  const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
  const read = files.map((file) => parquetReadObjects({ file: new Uint8Array(file).buffer, compressors }));
  const lines = (await Promise.all(read)).flat().map((cell) => JSON.stringify(cell, Object.keys(cell).sort()));
  const hash = createHash('sha256');
  for (const line of lines.sort()) hash.update(line);
  return { count: lines.length, digest: hash.digest('hex').slice(0, 8) };
}

const queuedSchema = z.object({ data: z.object({ location: z.string() }) });
const sweepSchema = z.object({ data: z.object({ status: z.string() }) });

/** By the workers of the service, as a caller runs it. */
async function sweepByWorkers({ url, key }: Reader, request: Request): Promise<Cells> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const start = performance.now();
  const queued = await fetch(`${url}/v1/sweeps`, { method: 'POST', headers, body: JSON.stringify(request) });
  if (queued.status !== 202) throw new Error(await queued.text());
  const { location } = queuedSchema.parse(await queued.json()).data;
  const read = async () => sweepSchema.parse(await (await fetch(`${url}${location}?wait=30`, { headers })).json()).data;
  let sweep = await read();
  while (sweep.status === 'queued' || sweep.status === 'running') sweep = await read();
  const seconds = secondsSince(start);
  if (sweep.status !== 'done') throw new Error('the sweep of the service has failed');
  const file = await fetch(`${url}${location}/cells.parquet`, { headers });
  return { ...(await digestOf([Buffer.from(await file.arrayBuffer())])), seconds };
}

/** The answer of the Python program. */
interface SparkAnswer {
  /** The time of each round, by the name of its request. */
  readonly seconds: Readonly<Record<string, readonly number[]>>;
  readonly killed?: { readonly completed?: number; readonly tasks?: number; readonly isGone: boolean };
  readonly panel?: readonly PanelRow[];
}

interface SparkWork {
  readonly executors: number;
  /** Requests that are measured in so many rounds. */
  readonly measured: Readonly<Record<string, Request>>;
  readonly rounds: number;
  /** Whether an executor is killed in a run of the request, and the panel is computed. */
  readonly isChecked: boolean;
}

type Digest = Pick<Cells, 'count' | 'digest'>;

function digestOfFolder(folder: string): Promise<Digest> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.parquet'));
  return digestOf(files.map((file) => readFileSync(join(folder, file))));
}

/** By the command of the page, on two executors of this machine. */
async function sweepBySubmit({ python, reader, request }: SparkPlace): Promise<Cells> {
  const folder = mkdtempSync(join(tmpdir(), 'spark-submit-'));
  // The programs of Spark, and the interpreters of the driver and of executors.
  const programs = [python.programs, dirname(process.execPath)];
  const variables = { MASTER: masterOf(2), MARKET_DATA_URL: reader.url, MARKET_DATA_KEY: reader.key };
  try {
    symlinkSync(resolve('ops'), join(folder, 'ops'));
    writeFileSync(join(folder, 'request.json'), JSON.stringify(request));
    const start = performance.now();
    await runCommand(SWEEP_COMMANDS.submit, { cwd: folder, programs, variables });
    const seconds = secondsSince(start);
    return { ...(await digestOfFolder(join(folder, 'cells'))), seconds };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Each executor is a process of its own, as on a cluster. */
const masterOf = (executors: number) => `local-cluster[${executors},1,1024]`;

async function onSpark(
  { python, reader, request }: SparkPlace,
  { executors, ...work }: SparkWork,
): Promise<{ readonly answer: SparkAnswer; readonly cells: Readonly<Record<string, Digest>> }> {
  const folder = mkdtempSync(join(tmpdir(), 'spark-cells-'));
  const { start, top } = PANEL;
  const given = {
    ...work,
    master: masterOf(executors),
    executors,
    request,
    folder,
    engine: ENGINE,
    node: process.execPath,
    panel: { start, top },
  };
  const variables = { MARKET_DATA_URL: reader.url, MARKET_DATA_KEY: reader.key };
  try {
    const answer = await python.run<SparkAnswer>(SCRIPT, given, variables);
    const cells: Record<string, Digest> = {};
    for (const name of readdirSync(folder)) cells[name] = await digestOfFolder(join(folder, name));
    return { answer, cells };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface SparkPlace {
  readonly python: Environment;
  readonly reader: Reader;
  readonly request: Request;
}

/** The service's program for Spark, and a caller. */
async function openSpark(service: TablesService, python: Environment, name: string): Promise<SparkPlace> {
  await runCommand(SWEEP_COMMANDS.build);
  const reader = await service.addReader(name);
  return { python, reader, request: requestOf(reader.question.symbol) };
}

export interface SparkComparison {
  readonly cells: number;
  /** By the workers, by Spark, and by Spark with a killed executor: digests of all cells. */
  readonly digests: readonly [workers: string, spark: string, afterKill: string];
  /** Tasks of the cells that were done when the executor was killed; null: none was killed in the middle. */
  readonly killedAfter: number | null;
  readonly tasks: number;
  readonly panel: { readonly sessions: number; readonly rows: number; readonly largestDifference: number };
}

/** Scores may differ by so much. */
const TOLERANCE = 1e-9;

export function isSameOnSpark({ digests, killedAfter, panel }: SparkComparison): boolean {
  return new Set(digests).size === 1 && killedAfter !== null && panel.rows > 0 && panel.largestDifference <= TOLERANCE;
}

export async function compareOnSpark(service: TablesService, python: Environment): Promise<SparkComparison> {
  const place = await openSpark(service, python, 'spark-sweep');
  const workers = await sweepByWorkers(place.reader, place.request);
  const spark = await sweepBySubmit(place);
  const { answer, cells } = await onSpark(place, { executors: 2, measured: {}, rounds: 0, isChecked: true });
  const { killed, panel = [] } = answer;
  return {
    cells: workers.count,
    digests: [workers.digest, spark.digest, cells['cells-after-a-kill'].digest],
    killedAfter: killed?.isGone ? (killed.completed ?? null) : null,
    tasks: killed?.tasks ?? 0,
    panel: comparePanels(panel, await ourPanel(service.pool, service.asOf)),
  };
}

/** Rounds whose time counts. The one before compiles and fills caches. */
const ROUNDS = 3;

/** The seconds of each round of the whole request, and of one strategy on the same bars. */
export interface SweepTimes {
  readonly whole: readonly number[];
  readonly single: readonly number[];
}

const measuredOf = (request: Request) => ({ whole: request, single: { ...request, runs: request.runs.slice(0, 1) } });

/** By the workers of the service, with the number of cells of each request. */
export async function measureOnWorkers(service: TablesService) {
  const reader = await service.addReader('workers-bench');
  const { whole, single } = measuredOf(requestOf(reader.question.symbol));
  const rounds: { readonly whole: Cells; readonly single: Cells }[] = [];
  for (let round = 0; round <= ROUNDS; round++)
    rounds.push({ whole: await sweepByWorkers(reader, whole), single: await sweepByWorkers(reader, single) });
  const timesOf = (name: keyof SweepTimes) => rounds.slice(1).map((round) => round[name].seconds);
  const [{ whole: all, single: some }] = rounds;
  const times: SweepTimes = { whole: timesOf('whole'), single: timesOf('single') };
  return { cells: { whole: all.count, single: some.count }, times };
}

/** By so many executors, in one session of Spark. */
export async function measureOnSpark(
  service: TablesService,
  python: Environment,
  executors: number,
): Promise<SweepTimes> {
  const place = await openSpark(service, python, `spark-bench-${executors}`);
  const measured = measuredOf(place.request);
  const { answer } = await onSpark(place, { executors, measured, rounds: ROUNDS + 1, isChecked: false });
  const { whole, single } = answer.seconds;
  return { whole: whole.slice(1), single: single.slice(1) };
}

/** The seconds of the command of the page for one strategy, with the start of Spark. */
export async function measureSubmit(service: TablesService, python: Environment): Promise<number> {
  const place = await openSpark(service, python, 'submit-bench');
  const { seconds } = await sweepBySubmit({ ...place, request: measuredOf(place.request).single });
  return seconds;
}

/** The largest difference of scores; infinite where a name, a rank, or a pick differs. */
export function comparePanels(theirs: readonly PanelRow[], ours: readonly PanelRow[]): SparkComparison['panel'] {
  const differences = ours.map(([date, symbol, score, rank, isHeld], i) => {
    const [theirDate, theirSymbol, theirScore, theirRank, isHeldThere] = theirs[i] ?? [];
    const isSame = theirDate === date && theirSymbol === symbol && theirRank === rank && isHeldThere === isHeld;
    return isSame ? Math.abs((theirScore ?? Number.NaN) - score) : Number.POSITIVE_INFINITY;
  });
  const isShort = theirs.length !== ours.length;
  return {
    sessions: new Set(ours.map(([date]) => date)).size,
    rows: ours.length,
    largestDifference: isShort ? Number.POSITIVE_INFINITY : Math.max(0, ...differences),
  };
}

export function sparkText({ cells, digests, killedAfter, tasks, panel }: SparkComparison): string {
  const [workers, spark, afterKill] = digests;
  return [
    `${cells} cells of a sweep: workers ${workers}, Spark ${spark}, with an executor killed after ${killedAfter} of ${tasks} tasks ${afterKill}`,
    `${panel.rows} rows of a panel of ${panel.sessions} months: the largest difference of a score is ${panel.largestDifference}`,
  ].join('\n');
}
