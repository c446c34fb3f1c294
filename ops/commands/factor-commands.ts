/** `npm run ops -- factors …`: factor studies for an account. `sweep list`, `cancel`, and `retry` take them too. */
import type { Command } from 'commander';
import { factorsBody, studyOf } from '../../api/factors/request.ts';
import { enqueueStudy } from '../../jobs/factors/enqueue.ts';
import { usableColumns } from '../../jobs/runs/own-columns.ts';
import { addFileWork } from './chunked-work.ts';

export function addFactorCommands(program: Command): void {
  const group = program.command('factors').description('Which values order the returns that follow');
  addFileWork(group, {
    kind: 'factors',
    call: 'POST /v1/factors',
    bodySchema: factorsBody,
    prepare: async ({ pool, market, userId }, body) => {
      const study = await studyOf(pool, body, market, await usableColumns(pool, userId));
      const cells = study.cellsEach * body.factors.length;
      return { cells, enqueue: (connection, boss, facts) => enqueueStudy(connection, boss, { ...study, ...facts }) };
    },
  });
}
