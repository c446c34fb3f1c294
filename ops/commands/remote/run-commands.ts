/** Backtests on a service. */
import { type Command, InvalidArgumentError } from 'commander';
import type { BodyOf, Client, Data } from '../../../api/clients/typescript/index.ts';
import { countOption, dayOption } from '../options.ts';
import { show, table } from './output.ts';

type Body = BodyOf<'runBacktest'>;
type Result = Data<'getBacktest'>;
type Params = Readonly<Record<string, number | string | boolean>>;

interface RunOptions extends Pick<Body, 'strategy' | 'start' | 'end' | 'adjust'> {
  readonly range?: Body['time_range'];
  readonly param?: Params;
  readonly entry?: string;
  readonly exit?: string;
}

/** Adds `name=value` to the parameters; numbers and booleans are parsed. */
function paramOption(text: string, before: Params = {}): Params {
  const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('expected name=value');
  const word = value === 'true' ? true : value === 'false' ? false : value;
  return { ...before, [name]: Number.isNaN(Number(value)) ? word : Number(value) };
}

function resultText(result: Result): string {
  const { symbol, strategy, start_date, end_date, id } = result;
  const figures = [
    ['return %', result.total_pnl_pct],
    ['per year %', result.annualized_pct],
    ['buy and hold %', result.buy_hold_pnl_pct],
    ['max drawdown %', result.max_drawdown_pct],
    ['Sharpe', result.sharpe],
    ['trades', result.num_trades],
    ['win rate %', result.win_rate],
  ];
  const kept = id === null ? '' : `, kept as ${id}`;
  const notes = result.notes.map(({ message }) => `\n${message}`).join('');
  return `${symbol}, ${strategy}, ${start_date} to ${end_date}${kept}\n${table(['figure', 'value'], figures)}${notes}`;
}

/** A strategy by its code or by its rules. */
function strategyOf({ strategy, entry, exit }: RunOptions): Pick<Body, 'strategy' | 'rules'> {
  if (entry === undefined) return { strategy };
  return { strategy: 'rules', rules: { entry, exit } };
}

export function addRunCommands(program: Command, connect: () => Client): void {
  const group = program.command('backtest').description('Backtests');
  group
    .command('run <symbol>')
    .description('Run a backtest and show its figures')
    .option('--strategy <code>', 'its code, from /v1/strategies')
    .option('--param <name=value>', 'a parameter; repeatable', paramOption)
    .option('--entry <rule>', 'instead of a strategy: when to buy, in the rule language')
    .option('--exit <rule>', 'when to sell')
    .option('--range <range>', 'length of the range up to now, such as 3Y')
    .option('--start <day>', 'first day, YYYY-MM-DD', dayOption)
    .option('--end <day>', 'last day, YYYY-MM-DD', dayOption)
    .option('--adjust <adjust>', 'split, total, or none')
    .action(async (symbol: string, options: RunOptions, command: Command) => {
      const { start, end, adjust, range, param } = options;
      const chosen = strategyOf(options);
      const result = await connect().backtest({
        ...chosen,
        symbol,
        start,
        end,
        adjust,
        time_range: range,
        params: param,
      });
      show(command, result, resultText);
    });
  group
    .command('list')
    .description('List kept backtests, newest first')
    .option('--limit <n>', 'how many', countOption, 20)
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const page = await connect().call('listBacktests', { query: { page_size: Math.min(limit, 100) } });
      show(command, page, ({ items }) =>
        table(
          ['id', 'name', 'strategy', 'from', 'to', 'return %', 'Sharpe'],
          items.map((item) => [
            String(item.id),
            item.kind === 'backtest' ? item.symbol : `${item.symbols_count} symbols`,
            item.strategy,
            item.start_date,
            item.end_date,
            item.total_pnl_pct,
            item.sharpe,
          ]),
        ),
      );
    });
}
