/** Sweeps on a service. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Client, Data } from '../../../api/clients/typescript/index.ts';
import { countOption, progressBar } from '../tools.ts';
import { say, show, table } from './output.ts';

/** Columns of the text next to the bar. */
const BAR_TEXT_COLUMNS = 20;

type Result = Data<'getSweepResult'>;

function resultText({ instruments, cells, best, best_few_trades: few = [] }: Result): string {
  const rows = (best.length === 0 ? few : best).slice(0, 10).map(({ symbol, strategy, params, sharpe }) => {
    const pairs = Object.entries(params).map(([name, value]) => `${name}=${value}`);
    return [symbol, strategy, pairs.join(' '), sharpe];
  });
  const head = `${cells.toLocaleString('en')} cells on ${instruments.toLocaleString('en')} instruments; the best:`;
  return `${head}\n${table(['symbol', 'strategy', 'parameters', 'Sharpe'], rows)}`;
}

/** Waits for a sweep; shows a progress bar on a terminal. */
async function follow(client: Client, id: string): Promise<Result> {
  const bar = progressBar('  {percentage}% {bar} | {status}', BAR_TEXT_COLUMNS);
  if (process.stderr.isTTY) bar.start(100, 0, { status: 'queued' });
  try {
    return await client.sweep
      .job(id)
      .result({ onProgress: ({ percent, status }) => bar.update(Math.floor(percent ?? 0), { status }) });
  } finally {
    bar.stop();
  }
}

export function addSweepCommands(program: Command, connect: () => Client): void {
  const group = program.command('sweep').description('Strategies over the whole market');
  group
    .command('run')
    .description('Queue a sweep and follow it')
    .requiredOption('--file <json>', 'a body of POST /v1/sweeps')
    .option('--no-wait', 'do not follow it')
    .action(async ({ file, wait }: { file: string; wait: boolean }, command: Command) => {
      const client = connect();
      const { id } = await client.sweep.submit(JSON.parse(readFileSync(file, 'utf8')));
      process.stderr.write(`sweep ${id}\n`);
      if (wait) show(command, await follow(client, id), resultText);
    });
  group
    .command('watch <id>')
    .description('Follow a sweep, and show its result')
    .action(async (id: string, _options, command: Command) => show(command, await follow(connect(), id), resultText));
  group
    .command('list')
    .description('List the sweeps of the account, newest first')
    .option('--limit <n>', 'how many', countOption, 20)
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const page = await connect().call('listSweeps', { query: { size: Math.min(limit, 100) } });
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
    .description('Save every cell of a sweep as an Apache Parquet file')
    .requiredOption('--out <file>', 'file to write')
    .action(async (id: string, { out }: { out: string }) => {
      await connect().save('downloadSweepCells', { path: { sweep_id: id } }, out);
      say(out);
    });
}
