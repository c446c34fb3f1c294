/** `npm run ops -- columns …`: columns that everyone reads. */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { insertAuditEntries } from '../../db/log/audit-log.ts';
import { deleteColumn } from '../../db/research/column-writes.ts';
import { selectColumns } from '../../db/research/own-columns.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { FileRefused } from '../../jobs/columns/line-reader.ts';
import { loadColumn } from '../../jobs/columns/load.ts';
import {
  COLUMN_NAME,
  type ColumnResult,
  type ColumnSettings,
  columnSettingsSchema,
  isRuleWord,
} from '../../jobs/contracts/columns.ts';
import { act, operatorIntent } from './audited-command.ts';
import { fail, PERCENT_COLUMNS, progressBar, say, type Tools, tableOf, withTools } from './tools.ts';

const { kind, dimension, form, mode, about, day_means, symbols } = columnSettingsSchema.shape;
const CHOICES = { kind, dimension, form, mode, about, dayMeans: day_means, symbols };

interface PutOptions extends Omit<ColumnSettings, 'day_means' | 'stale_after'> {
  readonly dayMeans?: ColumnSettings['day_means'];
  readonly staleAfter?: number;
}

function sessionsOption(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a whole number of sessions');
}

async function put(
  { config, pool, now }: Tools,
  name: string,
  file: string,
  { dayMeans: day_means, staleAfter: stale_after, ...options }: PutOptions,
): Promise<void> {
  if (!COLUMN_NAME.test(name) || isRuleWord(name)) return fail(`${name} cannot be the name of a column`);
  const settings: ColumnSettings = { ...options, day_means, stale_after };
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
    const written = await loadColumn({ pool, workFolder, now, report }, target, resolve(file), (connection) =>
      insertAuditEntries(connection, intent, 'ok', new Date(now())),
    );
    bar?.stop();
    say(describe(name, written));
  } catch (error) {
    bar?.stop();
    if (!(error instanceof FileRefused)) throw error;
    fail(error.message);
  }
}

function describe(
  name: string,
  { version, account, backfilled, ambiguous_symbols, unknown_symbols }: ColumnResult,
): string {
  const { lines, loaded, repeated, rejected, left_out, by_reason, rejected_lines, told } = account;
  const named = (what: string, { count, symbols }: ColumnResult['unknown_symbols']) =>
    count === 0 ? [] : [`${what}: ${count} (${symbols.join(', ')})`];
  return [
    `${name}, version ${version}: ${lines} lines, ${loaded} loaded, ${repeated} repeated, ${rejected} rejected, ${left_out} left out`,
    ...Object.entries(by_reason).map(([reason, count]) => `  ${reason}: ${count}`),
    ...rejected_lines.slice(0, 3).map(({ line, reason, text }) => `  line ${line} (${reason}): ${text}`),
    ...named('  unknown tickers', unknown_symbols),
    ...named('  tickers that another instrument has now', ambiguous_symbols),
    ...(backfilled > 0 ? [`  known more than a week before they were loaded: ${backfilled}`] : []),
    ...told.map((sentence) => `  ${sentence}`),
  ].join('\n');
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
  const command = columns
    .command('put')
    .description('Write a column from a file: CSV, NDJSON, Parquet, or Arrow')
    .argument('<name>')
    .argument('<file>')
    .option('--market', 'one value for all instruments')
    .option(
      '--lag <sessions>',
      'sessions after its date at whose close a row without known_at is known',
      sessionsOption,
    )
    .option('--stale-after <sessions>', 'sessions after which a value counts no more', sessionsOption)
    .option('--unit <unit>', 'such as percent_per_year')
    .option('--source <source>', 'told to everyone')
    .option('--license <license>', 'told to everyone');
  for (const [name, choice] of Object.entries(CHOICES)) {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    command.addOption(new Option(`--${flag} <choice>`).choices(choice.unwrap().options));
  }
  command.action((name: string, file: string, options: PutOptions) =>
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
