/** `npm run ops -- deploy …`: sizes of an installation on several machines. */
import type { Command } from 'commander';
import { readConfigOrExit } from '../processes/process.ts';
import { mostConnections, SPARE_CONNECTIONS } from '../settings.ts';
import { countOption, say } from './tools.ts';

interface Machines {
  readonly api: number;
  readonly workers: number;
  readonly schedulers: number;
}

/** Clients for which a full pooler has room, so that they hear that its pool is full: this many times its pool. */
const CLIENTS_PER_CONNECTION = 2;

/** Settings of PostgreSQL and PgBouncer, in a form that they and a shell can read. */
function reckon({ api, workers, schedulers }: Machines): void {
  const config = readConfigOrExit();
  const processes = { api: api * config.API_PROCESSES, worker: workers, scheduler: schedulers };
  const connections = mostConnections(config, processes);
  say(`max_connections=${connections + SPARE_CONNECTIONS}`);
  say(`default_pool_size=${connections}`);
  say(`max_client_conn=${CLIENTS_PER_CONNECTION * connections}`);
}

export function addDeployCommands(program: Command): void {
  const deploy = program.command('deploy').description('Plan an installation on several machines');
  deploy
    .command('reckon')
    .description('Add up the connections of all machines with the settings of this one, for PostgreSQL and PgBouncer')
    .requiredOption('--api <count>', 'machines of the API', countOption)
    .requiredOption('--workers <count>', 'machines of workers', countOption)
    .option('--schedulers <count>', 'machines of schedulers', countOption, 2)
    .action(reckon);
}
