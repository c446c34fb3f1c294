/** `npm run ops -- sweep …`: runs strategies on the whole market for an account. */
import type { Command } from 'commander';
import { z } from 'zod';
import { NOTHING_OWN } from '../../api/rules/resolve.ts';
import { sweepBody, sweepOf } from '../../api/sweeps/request.ts';
import { type Sweep, selectLatestSweeps, selectSweep } from '../../db/sweeps/sweeps.ts';
import { enqueueSweep, removeSweep, retrySweep } from '../../jobs/sweep/enqueue.ts';
import { act } from './audited-command.ts';
import { addFileWork, KIND_NAMES } from './chunked-work.ts';
import { countOption, fail, say, type Tools, tableOf, timeText, withTools } from './tools.ts';

const fileBody = sweepBody.refine(({ universe }) => typeof universe === 'string' || !('screen' in universe), {
  path: ['universe', 'screen'],
  error: 'only the API can evaluate a screen: send the sweep there',
});

function rowOf({ id, kind, status, userId, cells, cellsDone, createdAt }: Sweep) {
  const share = status === 'running' ? `${Math.floor((100 * cellsDone) / cells)} %` : '';
  return [id, KIND_NAMES[kind], timeText(createdAt), userId, status, share, cells.toLocaleString('en')];
}

async function cancel(tools: Tools, id: string): Promise<void> {
  const sweep = await selectSweep(tools.pool, id);
  if (!sweep) return fail(`there is no sweep ${id}`);
  const { userId, kind } = sweep;
  const what = { action: 'sweep.cancel', target: 'sweep', targetId: id } as const;
  const removed = await act(tools, what, (connection, boss, { at }) =>
    removeSweep(connection, boss, { userId, id, requestId: `ops:${id}`, at }),
  );
  if (removed) say(`${KIND_NAMES[kind]} ${id} is removed`);
}

async function retry(tools: Tools, id: string): Promise<void> {
  const sweep = await selectSweep(tools.pool, id);
  if (!sweep) return fail(`there is no sweep ${id}`);
  const what = { action: 'sweep.retry', target: 'sweep', targetId: id } as const;
  const retried = await act(tools, what, async (connection, boss, { at }) => {
    await retrySweep(connection, boss, sweep, at);
    return true;
  });
  const { kind, chunks, chunksDone } = sweep;
  if (retried) say(`${KIND_NAMES[kind]} ${id} is resumed: ${chunks - chunksDone} of ${chunks} chunks are left`);
}

export function addSweepCommands(program: Command): void {
  const group = program.command('sweep').description('Strategies over the whole market');
  addFileWork(group, {
    kind: 'sweep',
    call: 'POST /v1/sweeps',
    bodySchema: fileBody,
    prepare: ({ market }, body) => {
      const own = body.runs.map(() => NOTHING_OWN);
      const requested = sweepOf(body, market, own);
      return {
        cells: requested.instruments.length * requested.combinations,
        enqueue: (connection, boss, facts) => enqueueSweep(connection, boss, { ...requested, ...facts }),
      };
    },
  });
  group
    .command('list')
    .description('List the latest sweeps and factor studies of all accounts')
    .option('--limit <n>', 'how many', countOption, 20)
    .action(({ limit }: { limit: number }) =>
      withTools(async ({ pool }) => {
        const sweeps = await selectLatestSweeps(pool, limit);
        if (sweeps.length === 0) return say('no sweep has been requested yet');
        say(tableOf(['id', 'kind', 'created (UTC)', 'account', 'status', 'done', 'cells'], sweeps.map(rowOf)));
      }),
    );
  group
    .command('retry <id>')
    .description('Resume a failed sweep or factor study')
    .action((id: string) => withTools((tools) => retry(tools, z.uuid().parse(id))));
  group
    .command('cancel <id>')
    .description('Cancel and remove a sweep or factor study')
    .action((id: string) => withTools((tools) => cancel(tools, z.uuid().parse(id))));
}
