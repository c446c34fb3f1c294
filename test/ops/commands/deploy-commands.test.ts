/** `ops deploy reckon`: connections of all machines. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { connectionsOf } from '../../../db/connection-counts.ts';

const CLI = fileURLToPath(new URL('../../../ops/commands/cli.ts', import.meta.url));

it('adds up what all processes may have, extra jobs included, as settings of the servers', () => {
  const env = { ...process.env, WORKER_SLOTS: 'interactive=4', API_PROCESSES: '2', DATABASE_POOL: '8' };
  const counts = ['--api', '3', '--workers', '2', '--schedulers', '1'];
  const { stdout, status } = spawnSync(process.execPath, [CLI, 'deploy', 'reckon', ...counts], { env });
  // Four slots, and sixteen extra jobs of each of four lanes.
  const threads = 4 + 16 * 4;
  const connections =
    6 * (8 + connectionsOf('api')) +
    2 * (connectionsOf('worker') + threads * connectionsOf('thread')) +
    connectionsOf('scheduler');
  expect(connections).toBe(541);
  expect(String(stdout)).toBe(`max_connections=561\ndefault_pool_size=541\nmax_client_conn=1082\n`);
  expect(status).toBe(0);
});
