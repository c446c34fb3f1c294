/** Market data of a service: quotes, candles, search, screens, SQL, and files of exports. */
import { type Command, Option } from 'commander';
import type { BodyOf, Client, Data, QueryOf } from '../../../api/clients/typescript/index.ts';
import { countOption, dayOption } from '../tools.ts';
import { say, show, table } from './output.ts';

const PERIODS = ['day', 'week', 'month'] as const;
const ADJUSTMENTS = ['none', 'qfq', 'split', 'total'] as const;

type Quote = Data<'getQuote'>;

function quoteTable(quotes: readonly Quote[]): string {
  const rows = quotes.map(({ symbol, last, change_pct, volume, as_of }) => [symbol, last, change_pct, volume, as_of]);
  return table(['symbol', 'last', 'change %', 'volume', 'session'], rows);
}

function addQuotes(program: Command, connect: () => Client): void {
  program
    .command('quote <symbol...>')
    .description('Show the newest session of instruments')
    .action(async (symbols: readonly string[], _options, command: Command) => {
      const client = connect();
      const quotes = await Promise.all(symbols.map((symbol) => client.quote(symbol)));
      show(command, quotes, quoteTable);
    });
  program
    .command('candles <symbol>')
    .description('Show candles, oldest first')
    .addOption(new Option('--period <period>', 'length of a candle').choices(PERIODS).default('day'))
    .addOption(new Option('--adjust <adjust>', 'prices').choices(ADJUSTMENTS).default('none'))
    .option('--start <day>', 'first day, YYYY-MM-DD', dayOption)
    .option('--end <day>', 'last day, YYYY-MM-DD', dayOption)
    .option('--days <n>', 'number of candles, up to the newest', countOption)
    .action(async (symbol: string, query: QueryOf<'getKline'>, command: Command) => {
      show(command, await connect().kline(symbol, query), ({ bars }) =>
        table(
          ['day', 'open', 'high', 'low', 'close', 'volume'],
          bars.map(({ ts, open, high, low, close, volume }) => [ts, open, high, low, close, volume]),
        ),
      );
    });
  program
    .command('search <text>')
    .description('Find instruments by ticker or name')
    .action(async (text: string, _options, command: Command) => {
      show(command, await connect().symbols({ q: text }), ({ items }) =>
        table(
          ['symbol', 'name', 'type', 'delisted'],
          items.map(({ symbol, name, asset_type, delisted_on }) => [symbol, name, asset_type, delisted_on]),
        ),
      );
    });
}

type ScreenOptions = Pick<BodyOf<'runScreener'>, 'preset' | 'where' | 'limit'>;

function addScreens(program: Command, connect: () => Client): void {
  program
    .command('screen')
    .description('Find instruments by a preset or a condition')
    .option('--preset <code>', 'a predefined screen')
    .option('--where <condition>', "a condition in the rule language, such as 'close > sma(200)'")
    .option('--limit <n>', 'how many', countOption, 20)
    .action(async (options: ScreenOptions, command: Command) => {
      const found = await connect().screen(options);
      show(command, found, (screened) => {
        if (!('items' in screened)) return JSON.stringify(screened);
        const rows = screened.items.map(({ symbol, name, close, change_pct, volume }) => [
          symbol,
          name,
          close,
          change_pct,
          volume,
        ]);
        const head = `${screened.total} of ${screened.eligible} instruments at ${screened.data_freshness.as_of}`;
        return `${head}\n${table(['symbol', 'name', 'close', 'change %', 'volume'], rows)}`;
      });
    });
  program
    .command('sql <query>')
    .description('Query the market in SQL')
    .option('--limit <n>', 'rows at most', countOption, 100)
    .option('--as-of-load <version>', 'the market as it was known after this load, by its data version')
    .action(async (query: string, options: { limit: number; asOfLoad?: string }, command: Command) => {
      const { limit, asOfLoad } = options;
      const result = await connect().sql({ query, limit, as_of_load: asOfLoad });
      show(command, result, ({ columns, rows, truncated }) => {
        const names = columns.map(({ name }) => name);
        return `${table(names, rows)}${truncated ? '\n… more rows: raise --limit' : ''}`;
      });
    });
}

function addDownloads(program: Command, connect: () => Client): void {
  program
    .command('export')
    .description('Files of exports')
    .command('download <id>')
    .description('Save the file of an export and check its SHA-256; resumes an interrupted download')
    .requiredOption('--out <file>', 'file to write')
    .action(async (id: string, { out }: { out: string }) => {
      await connect().save('downloadExport', { path: { export_id: Number(id) } }, out);
      say(out);
    });
}

export function addMarketCommands(program: Command, connect: () => Client): void {
  addQuotes(program, connect);
  addScreens(program, connect);
  addDownloads(program, connect);
}
