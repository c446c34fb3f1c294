/** The columns of an account on a service. */
import { openAsBlob } from 'node:fs';
import type { Command } from 'commander';
import type { Client } from '../../../api/clients/typescript/index.ts';
import { accountText, columnSettings, type PutOptions, putCommand } from '../column-put.ts';
import { PERCENT_COLUMNS, progressBar } from '../tools.ts';
import { say, show, table } from './output.ts';

async function put(client: Client, name: string, file: string, options: PutOptions) {
  const bar = process.stderr.isTTY ? progressBar('  {percentage}% {bar}', PERCENT_COLUMNS) : null;
  bar?.start(100, 0);
  try {
    return await client.putColumn(name, await openAsBlob(file), columnSettings(options), {
      onProgress: ({ percent }) => bar?.update(Math.floor(percent ?? 0)),
    });
  } finally {
    bar?.stop();
  }
}

export function addColumnCommands(program: Command, connect: () => Client): void {
  const group = program.command('columns').description("Columns that rules read as my('name')");
  putCommand(group).action(async (name: string, file: string, options: PutOptions, command: Command) =>
    show(command, await put(connect(), name, file, options), ({ column, ...written }) =>
      accountText(name, { ...written, version: column.version }),
    ),
  );
  group
    .command('list')
    .description("List the account's columns, and everyone's")
    .action(async (_options, command: Command) =>
      show(command, await connect().call('listColumns', {}), ({ items }) =>
        table(
          ['name', 'owner', 'kind', 'version', 'rows', 'symbols', 'first', 'last'],
          items.map(({ name, owner, kind, version, rows, symbols, first_day, last_day }) => {
            return [name, owner, kind, version, rows, symbols, first_day, last_day];
          }),
        ),
      ),
    );
  group
    .command('delete <name>')
    .description('Delete a column with its versions')
    .action(async (name: string) => {
      await connect().call('deleteColumn', { path: { name } });
      say(`${name} was deleted`);
    });
}
