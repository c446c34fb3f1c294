/** `npm run ops -- columns …`: columns that everyone reads. */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { insertAuditEntries } from '../../db/log/audit-log.ts';
import { deleteColumn } from '../../db/research/column-writes.ts';
import { selectColumns } from '../../db/research/own-columns.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { FileRefused } from '../../jobs/columns/line-reader.ts';
import { loadColumn } from '../../jobs/columns/load.ts';
import { COLUMN_NAME, isRuleWord } from '../../jobs/contracts/columns.ts';
import { act, operatorIntent } from './audited-command.ts';
import { accountText, columnSettings, type PutOptions, putCommand } from './column-put.ts';
import { fail, PERCENT_COLUMNS, progressBar, say, type Tools, tableOf, withTools } from './tools.ts';

async function put({ config, pool, now }: Tools, name: string, file: string, options: PutOptions): Promise<void> {
  if (!COLUMN_NAME.test(name) || isRuleWord(name)) return fail(`${name} cannot be the name of a column`);
  const settings = columnSettings(options);
  const workFolder = resolve(config.DATA_DIR, 'work');
  await mkdir(workFolder, { recursive: true });
  const bar = process.stderr.isTTY ? progressBar('  {percentage}% {bar}', PERCENT_COLUMNS) : null;
  bar?.start(100, 0);
  const report = async (share: number) => bar?.update(Math.floor(100 * share));
  const target = { accountId: null, name, settings, quota: null };
  const { source, license } = settings;
  const intent = operatorIntent({
    action: 'column.update',
    target: 'column',
    targetId: name,
    details: { source, license },
  });
  try {
    const written = await loadColumn({ pool, workFolder, now, report }, target, file, (connection) =>
      insertAuditEntries(connection, intent, 'ok', new Date(now())),
    );
    bar?.stop();
    say(accountText(name, written));
  } catch (error) {
    bar?.stop();
    if (!(error instanceof FileRefused)) throw error;
    fail(error.message);
  }
}

async function list({ pool }: Tools): Promise<void> {
  const rows = (await selectColumns(pool, null)).map((column) => [
    column.name,
    column.kind,
    column.version,
    column.rows,
    column.symbols,
    column.firstDay,
    column.lastDay,
    column.source,
  ]);
  say(tableOf(['name', 'kind', 'version', 'rows', 'symbols', 'first', 'last', 'source'], rows));
}

export function addColumnCommands(program: Command): void {
  const columns = program.command('columns').description('Columns of values that everyone reads in rules');
  putCommand(columns).action((name: string, file: string, options: PutOptions) =>
    withTools((tools) => put(tools, name, file, options)),
  );
  columns
    .command('list')
    .description('List the columns that everyone reads')
    .action(() => withTools(list));
  columns
    .command('delete')
    .description('Delete a column with its versions')
    .argument('<name>')
    .action((name: string) =>
      withTools(async (tools) => {
        const what = { action: 'column.delete', target: 'column', targetId: name } as const;
        const deleted = await act(tools, what, async (connection) => {
          if (!(await deleteColumn(connection, null, name))) throw new ServiceError('not_found');
          return true;
        });
        if (deleted) say(`${name} was deleted`);
      }),
    );
}
