/** Options of the commands that write columns, and the account of lines that they print. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Data } from '../../api/clients/typescript/index.ts';
import { type ColumnSettings, columnSettingsSchema } from '../../jobs/contracts/columns.ts';
import { fileArgument } from './tools.ts';

const { kind, dimension, form, mode, about, day_means, symbols } = columnSettingsSchema.shape;
const CHOICES = { kind, dimension, form, mode, about, dayMeans: day_means, symbols };

export interface PutOptions extends Omit<ColumnSettings, 'day_means' | 'stale_after'> {
  readonly dayMeans?: ColumnSettings['day_means'];
  readonly staleAfter?: number;
}

export const columnSettings = ({
  dayMeans: day_means,
  staleAfter: stale_after,
  ...options
}: PutOptions): ColumnSettings => ({
  ...options,
  day_means,
  stale_after,
});

function sessionsOption(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a whole number of sessions');
}

/** The command `put <name> <file>` of a group. */
export function putCommand(group: Command): Command {
  const command = group
    .command('put')
    .description('Write a column from a file: CSV, NDJSON, Parquet, or Arrow')
    .argument('<name>')
    .argument('<file>', 'rows, or lists of members (--form)', fileArgument)
    .option('--market', 'one value for all instruments')
    .option(
      '--lag <sessions>',
      'sessions after its date at whose close a row without known_at is known',
      sessionsOption,
    )
    .option('--stale-after <sessions>', 'sessions after which a value counts no more', sessionsOption)
    .option('--unit <unit>', 'such as percent_per_year')
    .option('--source <source>', 'told to all who read it')
    .option('--license <license>', 'told to all who read it');
  for (const [name, choice] of Object.entries(CHOICES)) {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    command.addOption(new Option(`--${flag} <choice>`).choices(choice.unwrap().options));
  }
  return command;
}

type Written = Omit<NonNullable<Data<'getColumnJob'>['result']>, 'column'> & { readonly version: number };

/** The account of the lines of a file. */
export function linesOf(
  name: string,
  { lines, loaded, repeated, rejected, left_out, by_reason, rejected_lines, told }: Written['account'],
): string[] {
  return [
    `${name}: ${lines} lines, ${loaded} loaded, ${repeated} repeated, ${rejected} rejected, ${left_out} left out`,
    ...Object.entries(by_reason).map(([reason, count]) => `  ${reason}: ${count}`),
    ...rejected_lines.slice(0, 3).map(({ line, reason, text }) => `  line ${line} (${reason}): ${text}`),
    ...told.map((sentence) => `  ${sentence}`),
  ];
}

/** The same of a column, with its tickers. */
export function accountText(
  name: string,
  { version, account, backfilled, ambiguous_symbols, unknown_symbols }: Written,
): string {
  const named = (what: string, { count, symbols }: Written['unknown_symbols']) =>
    count === 0 ? [] : [`${what}: ${count} (${symbols.join(', ')})`];
  return [
    ...linesOf(`${name}, version ${version}`, account),
    ...named('  unknown tickers', unknown_symbols),
    ...named('  tickers that another instrument has now', ambiguous_symbols),
    ...(backfilled > 0 ? [`  known more than a week before they were loaded: ${backfilled}`] : []),
  ].join('\n');
}
