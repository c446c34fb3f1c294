/** Backtests on a service, and the tear sheets of kept ones. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BodyOf, Client, Data } from '../../../api/clients/typescript/index.ts';
import { countOption, dayOption } from '../tools.ts';
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

type Shown = Pick<
  Result,
  | 'symbol'
  | 'strategy'
  | 'start_date'
  | 'end_date'
  | 'id'
  | 'total_pnl_pct'
  | 'annualized_pct'
  | 'buy_hold_pnl_pct'
  | 'max_drawdown_pct'
  | 'sharpe'
  | 'num_trades'
  | 'win_rate'
  | 'notes'
>;

function resultText(result: Shown): string {
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

type Rotation = NonNullable<BodyOf<'runPortfolio'>['rotation']>;

interface RotateOptions extends Pick<Body, 'start' | 'end' | 'adjust'> {
  readonly score: string;
  readonly symbols?: string;
  readonly where?: string;
  readonly every: Rotation['every'];
  readonly top: number;
  readonly weights?: NonNullable<Rotation['weights']>['method'];
  readonly filter?: string;
  readonly range?: Body['time_range'];
}

function rotationOf({ score, symbols, where, every, top, weights, filter, range, ...rest }: RotateOptions) {
  const universe =
    symbols === undefined
      ? { all: true as const, where }
      : { symbols: symbols.split(',').map((one) => one.trim()), where };
  const { start, end, adjust } = rest;
  return {
    start,
    end,
    adjust,
    universe,
    time_range: range,
    rotation: { score, every, hold: { top }, market_filter: filter, weights: { method: weights } },
  };
}

function rotationText(result: Data<'getPortfolio'>): string {
  const last = result.rebalances?.at(-1);
  const held = last && Object.entries(last.weights).map(([symbol, weight]): [string, number] => [symbol, 100 * weight]);
  const weights = held ? `\nafter ${last.ts}\n${table(['symbol', 'weight %'], held)}` : '';
  return `${resultText({ ...result, symbol: `${result.members ?? 0} members` })}${weights}`;
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
  program
    .command('rotate')
    .description('Hold the best of a universe, looked at again on a schedule, and show the figures')
    .requiredOption('--score <value>', 'what members are ranked by, in the rule language')
    .option('--symbols <list>', 'symbols with commas between; default: every instrument')
    .option('--where <condition>', 'who is ranked, in the rule language')
    .addOption(
      new Option('--every <period>', 'when it is looked at again')
        .choices(['week', 'month', 'quarter'])
        .default('month'),
    )
    .option('--top <n>', 'how many are held', countOption, 10)
    .option('--weights <method>', 'equal, inverse_volatility, min_variance, risk_parity, hrp, …')
    .option('--filter <condition>', "a condition on other instruments, such as of('SPY', close > sma(200))")
    .option('--range <range>', 'length of the range up to now, such as 3Y')
    .option('--start <day>', 'first day, YYYY-MM-DD', dayOption)
    .option('--end <day>', 'last day, YYYY-MM-DD', dayOption)
    .option('--adjust <adjust>', 'split, total, or none')
    .action(async (options: RotateOptions, command: Command) => {
      show(command, await connect().portfolio(rotationOf(options)), rotationText);
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
          items.flatMap((item) => {
            if (item.kind === 'outcomes') return [];
            const { id, strategy, start_date, end_date, total_pnl_pct, sharpe } = item;
            const subject = item.kind === 'backtest' ? item.symbol : `${item.symbols_count} symbols`;
            return [[String(id), subject, strategy, start_date, end_date, total_pnl_pct, sharpe]];
          }),
        ),
      );
    });
}

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
