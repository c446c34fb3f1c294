/** Tear sheets of kept runs of a service. */
import type { Command } from 'commander';
import type { Client } from '../../../api/clients/typescript/index.ts';
import { show, table } from './output.ts';

type TearSheet = Awaited<ReturnType<Client['tearSheet']>>;

/** The verdict in sentences, then the figures that they are made of. */
function sheetText({ returns, benchmark, trades, chance, verdict, ...sheet }: TearSheet): string {
  const { final_equity: ends, max_drawdown_pct: depths } = chance.bootstrap ?? {};
  const rank = (chance.random_entries ?? chance.random_sets)?.rank;
  const figures = [
    ['return %', returns.total_pct, benchmark.total_pct],
    ['per year %', returns.annual_return_pct, benchmark.annual_return_pct],
    ['volatility %', returns.volatility_pct],
    ['max drawdown %', returns.max_drawdown_pct],
    ['Sharpe', returns.sharpe],
    ['beta', benchmark.beta],
    [trades.position_summary ? 'positions' : 'trades', trades.count],
    ['win rate %', trades.win_rate_pct],
    ['random runs below %', rank === undefined ? undefined : 100 * rank],
  ];
  const resampled = [
    ['final equity', ends?.p5, ends?.p50, ends?.p95],
    ['max drawdown %', depths?.p5, depths?.p50, depths?.p95],
  ];
  const luck = chance.bootstrap === null ? '' : `\n${table(['resampled', '5%', '50%', '95%'], resampled)}`;
  const sentences = verdict.sentences.map(({ text }) => `${text}\n`).join('');
  return `${sheet.start_date} to ${sheet.end_date}\n${sentences}${table(['figure', 'run', 'benchmark'], figures)}${luck}`;
}

interface SheetOptions {
  readonly portfolio?: boolean;
  readonly benchmark?: string;
}

export function addTearSheetCommand(program: Command, connect: () => Client): void {
  program
    .command('tear-sheet <id>')
    .description('Show what a kept run earned beside holding, for which risk, and how sure that is')
    .option('--portfolio', 'the id is that of a portfolio or a rotation')
    .option('--benchmark <symbol>', 'what it is compared with')
    .action(async (id: string, { portfolio, benchmark }: SheetOptions, command: Command) => {
      const client = connect();
      const sheetOf = portfolio ? client.portfolioTearSheet : client.tearSheet;
      show(command, await sheetOf(Number(id), { benchmark }), sheetText);
    });
}
