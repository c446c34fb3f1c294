/** Sweeps and factor studies on a service. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { BodyOf, Client, Data, Queued } from '../../../api/clients/typescript/index.ts';
import { countOption, progressBar } from '../tools.ts';
import { say, show, table } from './output.ts';

/** Columns of the text next to the bar. */
const BAR_TEXT_COLUMNS = 20;

/** A kind of work that is computed in chunks. */
interface Kind<Body, Result> {
  readonly group: string;
  readonly description: string;
  readonly name: string;
  readonly names: string;
  /** The call that takes the same body. */
  readonly call: string;
  readonly work: (client: Client) => Queued<Body, Result>;
  readonly resultText: (result: Result) => string;
  readonly list: (client: Client, size: number) => Promise<{ readonly items: readonly Listed[] }>;
  /** The rows of the saved file, in words. */
  readonly content: string;
  readonly save: (client: Client, id: string, file: string) => Promise<void>;
}

type Listed = Pick<Data<'getSweep'>, 'id' | 'created_at' | 'status' | 'progress_pct' | 'cells'>;

const SWEEP: Kind<BodyOf<'runSweep'>, Data<'getSweepResult'>> = {
  group: 'sweep',
  description: 'Strategies over the whole market',
  name: 'sweep',
  names: 'sweeps',
  call: 'POST /v1/sweeps',
  work: ({ sweep }) => sweep,
  resultText: ({ instruments, cells, best, best_few_trades: few = [] }) => {
    const rows = (best.length === 0 ? few : best).slice(0, 10).map(({ symbol, strategy, params, sharpe }) => {
      const pairs = Object.entries(params).map(([name, value]) => `${name}=${value}`);
      return [symbol, strategy, pairs.join(' '), sharpe];
    });
    const head = `${cells.toLocaleString('en')} cells on ${instruments.toLocaleString('en')} instruments; the best:`;
    return `${head}\n${table(['symbol', 'strategy', 'parameters', 'Sharpe'], rows)}`;
  },
  list: (client, size) => client.call('listSweeps', { query: { size } }),
  content: 'every cell',
  save: (client, sweep_id, file) => client.save('downloadSweepCells', { path: { sweep_id } }, file),
};

const FACTORS: Kind<BodyOf<'runFactorStudy'>, Data<'getFactorStudyResult'>> = {
  group: 'factors',
  description: 'Which values order the returns that follow',
  name: 'factor study',
  names: 'factor studies',
  call: 'POST /v1/factors',
  work: ({ factors }) => factors,
  resultText: ({ first, last, sessions, instruments, factors }) => {
    const rows = factors.flatMap(({ name, horizons }) =>
      horizons.map(({ horizon, ic, spread }) => [name, horizon, ic.mean, ic.t_overlap, spread.mean, spread.t_overlap]),
    );
    const head = `${first} to ${last}, ${sessions} sessions, ${instruments.toLocaleString('en')} instruments`;
    return `${head}\n${table(['factor', 'horizon', 'IC', 't', 'spread', 't'], rows)}`;
  },
  list: (client, size) => client.call('listFactorStudies', { query: { size } }),
  content: 'the series',
  save: (client, study_id, file) => client.save('downloadFactorSeries', { path: { study_id } }, file),
};

/** Waits for the result; shows a progress bar on a terminal. */
async function follow<Body, Result>(work: Queued<Body, Result>, id: string): Promise<Result> {
  const bar = progressBar('  {percentage}% {bar} | {status}', BAR_TEXT_COLUMNS);
  if (process.stderr.isTTY) bar.start(100, 0, { status: 'queued' });
  try {
    return await work
      .job(id)
      .result({ onProgress: ({ percent, status }) => bar.update(Math.floor(percent ?? 0), { status }) });
  } finally {
    bar.stop();
  }
}

function addKind<Body, Result>(program: Command, connect: () => Client, kind: Kind<Body, Result>): void {
  const { name, names, work, resultText } = kind;
  const group = program.command(kind.group).description(kind.description);
  group
    .command('run')
    .description(`Queue a ${name} and follow it`)
    .requiredOption('--file <json>', `a body of ${kind.call}`)
    .option('--no-wait', 'do not follow it')
    .action(async ({ file, wait }: { file: string; wait: boolean }, command: Command) => {
      const queued = work(connect());
      const { id } = await queued.submit(JSON.parse(readFileSync(file, 'utf8')));
      process.stderr.write(`${name} ${id}\n`);
      if (wait) show(command, await follow(queued, id), resultText);
    });
  group
    .command('watch <id>')
    .description(`Follow a ${name}, and show its result`)
    .action(async (id: string, _options, command: Command) =>
      show(command, await follow(work(connect()), id), resultText),
    );
  group
    .command('list')
    .description(`List the ${names} of the account, newest first`)
    .option('--limit <n>', 'how many', countOption, 20)
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const page = await kind.list(connect(), Math.min(limit, 100));
      show(command, page, ({ items }) =>
        table(
          ['id', 'created', 'status', 'done %', 'cells'],
          items.map(({ id, created_at, status, progress_pct, cells }) => [
            id,
            created_at.slice(0, 16).replace('T', ' '),
            status,
            progress_pct,
            cells.total,
          ]),
        ),
      );
    });
  group
    .command('download <id>')
    .description(`Save ${kind.content} of a ${name} as an Apache Parquet file`)
    .requiredOption('--out <file>', 'file to write')
    .action(async (id: string, { out }: { out: string }) => {
      await kind.save(connect(), id, out);
      say(out);
    });
}

export function addSweepCommands(program: Command, connect: () => Client): void {
  addKind(program, connect, SWEEP);
  addKind(program, connect, FACTORS);
}
