/** Sweeps and factor studies on the command line: queued from a file for an account, and followed. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { errorBody } from '../../api/http/errors/error-body.ts';
import { readMarketData } from '../../api/market/market-data.ts';
import type { MarketFacts, MarketView } from '../../api/market/market-view.ts';
import { selectUserByEmail } from '../../db/accounts/users.ts';
import type { Connection, Pool } from '../../db/pool.ts';
import { type SweepKind, selectSweep, selectSweepPace } from '../../db/sweeps/sweeps.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { sweepCellsKey } from '../../storage/keys.ts';
import { act, type Boss } from './audited-command.ts';
import { fail, progressBar, say, type Tools, withTools } from './tools.ts';

/** The kinds in words. */
export const KIND_NAMES = { sweep: 'sweep', factors: 'factor study' } as const satisfies Record<SweepKind, string>;

export interface PreparingTools extends Tools {
  readonly market: MarketFacts & Pick<MarketView, 'historyLedger'>;
  /** The account that the work is for. */
  readonly userId: number;
}

/** The fields that records of both kinds have. */
interface WorkFacts {
  readonly id: string;
  readonly userId: number;
  readonly requestId: string;
  readonly at: Date;
}

interface PreparedWork {
  readonly cells: number;
  readonly enqueue: (connection: Connection, boss: Boss, facts: WorkFacts) => Promise<void>;
}

export interface FileWork<Body> {
  readonly kind: SweepKind;
  /** The call that takes the same body. */
  readonly call: string;
  readonly bodySchema: z.ZodType<Body>;
  /** Checks the body. Throws `ServiceError`. */
  readonly prepare: (tools: PreparingTools, body: Body) => Promise<PreparedWork> | PreparedWork;
}

interface RunOptions {
  readonly account: string;
  readonly file: string;
  readonly wait: boolean;
}

/** The commands `run` and `watch` of a group. */
export function addFileWork<Body>(group: Command, work: FileWork<Body>): void {
  const name = KIND_NAMES[work.kind];
  group
    .command('run')
    .description(`Queue a ${name} for an account and follow it`)
    .requiredOption('--account <email>', 'e-mail address of the account')
    .requiredOption('--file <json>', `a body of ${work.call}`)
    .option('--no-wait', `do not follow the ${name}`)
    .action((options: RunOptions) => run(work, options));
  group
    .command('watch <id>')
    .description(`Show the progress of a ${name}`)
    .action((id: string) => withTools(({ pool }) => watch(pool, z.uuid().parse(id))));
}

async function run<Body>({ kind, bodySchema, prepare }: FileWork<Body>, { account, file, wait }: RunOptions) {
  const name = KIND_NAMES[kind];
  const body = bodySchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!body.success) return fail(`${file} is not a ${name}: ${z.prettifyError(body.error)}`);
  await withTools(async (tools) => {
    const user = await selectUserByEmail(tools.pool, account);
    if (!user) return fail(`there is no account ${account}`);
    const { id: userId } = user;
    const market = await readMarket(tools);
    const prepared = await refusedOr(() => prepare({ ...tools, market, userId }, body.data));
    if (prepared === null) return;
    const id = randomUUID();
    const facts = { id, userId, requestId: `ops:${id}`, at: new Date(tools.now()) };
    const what = { action: 'sweep.create', target: 'sweep', targetId: id } as const;
    const queued = await act(tools, what, async (connection, boss) => {
      await prepared.enqueue(connection, boss, facts);
      return id;
    });
    if (queued === null) return;
    say(`${name} ${id}: ${prepared.cells.toLocaleString('en')} cells`);
    if (wait) await watch(tools.pool, id);
  });
}

export async function readMarket({ config, pool, now }: Tools): Promise<PreparingTools['market']> {
  const { directory, sessions, ledgers } = await readMarketData(pool);
  const distributableDay = newestDistributableDay(now());
  const newestSession = sessions.findLast((day) => day <= distributableDay) ?? null;
  const { DISTRIBUTION_MODE: mode } = config;
  return { directory, distributableDay, newestSession, mode, historyLedger: ledgers.spliced };
}

/** Null once it is told why a request was refused. */
async function refusedOr<T>(work: () => Promise<T> | T): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    fail(errorBody(error, 'en').message);
    return null;
  }
}

const POLL_MS = 500;
const BAR_FORMAT = '  {percentage}% {bar} | {left} left | {value}/{total} cells | {rate} a second | {workers}';
/** Columns of the text next to the bar, with millions of cells. */
const BAR_TEXT_COLUMNS = 78;

/** Shows a progress bar on a terminal until the work has ended, and then one line. */
async function watch(pool: Pool, id: string): Promise<void> {
  const bar = progressBar(BAR_FORMAT, BAR_TEXT_COLUMNS);
  let sweep = await selectSweep(pool, id);
  const name = KIND_NAMES[sweep?.kind ?? 'sweep'];
  const unknown = { rate: '-', left: '-', workers: workersText(0) };
  if (process.stderr.isTTY && sweep) bar.start(sweep.cells, sweep.cellsDone, unknown);
  while (sweep !== null && sweep.finishedAt === null) {
    const { cellsPerSecond: rate, workers: count } = await selectSweepPace(pool, id);
    const workers = workersText(count);
    const left = rate ? `${Math.ceil((sweep.cells - sweep.cellsDone) / rate)} s` : '-';
    bar.update(sweep.cellsDone, { rate: rate ? Math.round(rate).toLocaleString('en') : '-', left, workers });
    await sleep(POLL_MS);
    sweep = await selectSweep(pool, id);
  }
  bar.stop();
  if (sweep === null) return fail(`${name} ${id} was removed`);
  if (sweep.status === 'failed') return fail(`${name} ${id} failed: ${sweep.errorCode}`);
  const seconds = ((sweep.finishedAt?.getTime() ?? 0) - (sweep.startedAt?.getTime() ?? 0)) / 1000;
  say(`done: ${sweep.cells.toLocaleString('en')} cells in ${seconds.toFixed(0)} s, ${sweepCellsKey(sweep.userId, id)}`);
}

const workersText = (count: number) => (count === 1 ? '1 worker' : `${count} workers`);
