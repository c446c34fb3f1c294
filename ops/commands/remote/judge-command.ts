/** Returns that were made elsewhere, judged by a service. */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Client, QueryOf, Schema } from '../../../api/clients/typescript/index.ts';
import { FREQUENCIES } from '../../../engine/judge/frequency.ts';
import { JUDGED_FORMS } from '../../../jobs/contracts/judge.ts';
import { linesOf } from '../column-put.ts';
import { fileArgument } from '../tools.ts';
import { show, table } from './output.ts';

type Query = NonNullable<QueryOf<'runJudgement'>>;

interface JudgeOptions extends Pick<Query, 'form' | 'benchmark' | 'trials' | 'frequency'> {
  readonly riskFree?: string;
}

function trialsOption(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a whole number of trials');
}

const HEAD = ['stream', 'first', 'last', 'periods', 'per year %', 'Sharpe', 'drawdown %', 'alpha %', 't', 'PSR', 'rho'];

/** The account of the file, the sentences on the best stream, the notes, and a table of all streams. */
function judgementText(name: string, { sentences, notes, streams, account }: Schema<'Judgement'>): string {
  const rows = streams.map(({ tear_sheet: { returns }, statistics, serial, ...stream }) => [
    stream.name,
    stream.first,
    stream.last,
    stream.periods,
    returns.annual_return_pct,
    returns.sharpe,
    returns.max_drawdown_pct,
    statistics.skill?.alpha_pct,
    statistics.skill?.alpha_t,
    statistics.psr,
    serial?.rho,
  ]);
  const told = notes.map(({ level, message }) => `${level}: ${message}`);
  return [...linesOf(name, account), ...sentences, ...told, table(HEAD, rows)].join('\n');
}

export function addJudgeCommand(program: Command, connect: () => Client): void {
  program
    .command('judge')
    .description('Judge returns that were made elsewhere: CSV, NDJSON, Parquet, or Arrow. Nothing is kept')
    .argument('<file>', 'days, and a column for each stream', fileArgument)
    .addOption(
      new Option('--form <form>', 'what the columns are; default: returns, as fractions').choices(JUDGED_FORMS),
    )
    .option('--benchmark <name>', 'a column of the file, or a symbol')
    .option('--risk-free <name>', 'the market column of the risk-free rate')
    .option('--trials <n>', 'of which the file is the best; default: its streams', trialsOption)
    .addOption(new Option('--frequency <step>', 'of the rows; default: as their days say').choices(FREQUENCIES))
    .action(async (file: string, { riskFree: risk_free, ...options }: JudgeOptions, command: Command) => {
      const judged = await connect().judge(await openAsBlob(file), { ...options, risk_free });
      show(command, judged, (found) => judgementText(basename(file), found));
    });
}
