/** The same invented market, written in every layout of files. */

import { sessionsBetween } from '../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../engine/market/dates.ts';

export interface WrittenBar {
  readonly symbol: string;
  readonly date: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Bars of some symbols, as traded: prices of two decimals, without splits. */
export function inventBars(symbols: readonly string[], first = '2024-07-08', last = '2024-08-16'): WrittenBar[] {
  const days = sessionsBetween(requireDay(first), requireDay(last)).map(formatDay);
  return symbols.flatMap((symbol, s) =>
    days.map((date, i) => {
      const cents = 2_000 + 1_000 * s + ((i * 37) % 200);
      const [open, close] = [cents, cents + ((i * 13) % 50) - 20];
      const [high, low] = [Math.max(open, close) + 15, Math.min(open, close) - 11];
      const [o, h, l, c] = [open, high, low, close].map((price) => price / 100);
      return { symbol, date, open: o, high: h, low: l, close: c, volume: 10_000 + i };
    }),
  );
}

interface WrittenFile {
  readonly name: string;
  readonly lines: readonly string[];
}

export interface LayoutWriter {
  readonly layout: string;
  readonly prices: 'as_traded' | 'split_adjusted' | 'total_adjusted' | 'unknown';
  readonly headerLines: number;
  /** Whether a line has a bar of every symbol, which is a row of the account. */
  readonly isWide?: boolean;
  readonly files: (bars: readonly WrittenBar[]) => WrittenFile[];
}

const bySymbol = (
  bars: readonly WrittenBar[],
  name: (symbol: string) => string,
  header: readonly string[] | ((symbol: string) => readonly string[]),
  line: (bar: WrittenBar) => string,
): WrittenFile[] =>
  [...Map.groupBy(bars, ({ symbol }) => symbol)].map(([symbol, own]) => ({
    name: name(symbol),
    lines: [...(typeof header === 'function' ? header(symbol) : header), ...own.map(line)],
  }));

const inOne = (
  bars: readonly WrittenBar[],
  name: string,
  header: string,
  line: (bar: WrittenBar) => string,
): WrittenFile[] => [{ name, lines: [header, ...bars.map(line)] }];

const compact = (date: string) => date.replaceAll('-', '');
const slashed = (date: string) => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;
const midnight = (date: string) => Date.parse(`${date}T04:00:00Z`);
const nano = (price: number) => String(Math.round(price * 100) * 10_000_000);

export const LAYOUT_WRITERS: readonly LayoutWriter[] = [
  {
    layout: 'own',
    prices: 'as_traded',
    headerLines: 1,
    files: (bars) =>
      inOne(bars, 'daily/consolidated/all.csv', 'symbol,date,open,high,low,close,volume', (b) =>
        [b.symbol, b.date, b.open, b.high, b.low, b.close, b.volume].join(','),
      ),
  },
  {
    layout: 'generic',
    prices: 'unknown',
    headerLines: 1,
    files: (bars) =>
      inOne(bars, 'prices.csv', 'Ticker;DATE;Open;High;Low;Close;Volume', (b) =>
        [
          b.symbol.toLowerCase(),
          compact(b.date),
          ...[b.open, b.high, b.low, b.close].map((price) => String(price).replace('.', ',')),
          b.volume,
        ].join(';'),
      ),
  },
  {
    layout: 'yahoo',
    prices: 'split_adjusted',
    headerLines: 1,
    files: (bars) =>
      bySymbol(
        bars,
        (symbol) => `${symbol}.csv`,
        ['Date,Open,High,Low,Close,Adj Close,Volume'],
        (b) => [b.date, b.open, b.high, b.low, b.close, (b.close * 0.98).toFixed(6), b.volume].join(','),
      ),
  },
  {
    layout: 'yahoo',
    prices: 'total_adjusted',
    headerLines: 1,
    files: (bars) =>
      bySymbol(
        bars,
        (symbol) => `${symbol}_history.csv`,
        ['Date,Open,High,Low,Close,Volume,Dividends,Stock Splits'],
        (b) => [`${b.date} 00:00:00-04:00`, b.open, b.high, b.low, b.close, b.volume, '0.0', '0.0'].join(','),
      ),
  },
  {
    layout: 'yahoo',
    prices: 'total_adjusted',
    headerLines: 3,
    files: (bars) =>
      bySymbol(
        bars,
        (symbol) => `download/${symbol}.csv`,
        (symbol) => ['Price,Close,High,Low,Open,Volume', `Ticker${`,${symbol}`.repeat(5)}`, 'Date,,,,,'],
        (b) => [b.date, b.close, b.high, b.low, b.open, b.volume].join(','),
      ),
  },
  ...(['Adj Close', 'Dividends'] as const).map((extra) => ({
    layout: 'yahoo',
    prices: extra === 'Adj Close' ? ('split_adjusted' as const) : ('total_adjusted' as const),
    headerLines: 3,
    isWide: true,
    files: (bars: readonly WrittenBar[]) => {
      const symbols = [...new Set(bars.map(({ symbol }) => symbol))];
      const names = ['Close', 'High', 'Low', 'Open', 'Volume', extra];
      const days = Map.groupBy(bars, ({ date }) => date);
      const figures = (b: WrittenBar) => [
        b.close,
        b.high,
        b.low,
        b.open,
        `${b.volume}.0`,
        extra === 'Dividends' ? 0 : b.close,
      ];
      return [
        {
          name: `download-${extra.slice(0, 3)}.csv`,
          lines: [
            ['Price', ...names.flatMap((name) => symbols.map(() => name))].join(','),
            ['Ticker', ...names.flatMap(() => symbols)].join(','),
            `Date${','.repeat(names.length * symbols.length)}`,
            ...[...days].map(([date, own]) =>
              [date, ...names.flatMap((_, i) => own.map((bar) => figures(bar)[i]))].join(','),
            ),
          ],
        },
      ];
    },
  })),
  {
    layout: 'stooq',
    prices: 'total_adjusted',
    headerLines: 1,
    files: (bars) =>
      bySymbol(
        bars,
        (symbol) => `data/daily/us/nyse stocks/1/${symbol.toLowerCase()}.us.txt`,
        ['<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>'],
        (b) =>
          [`${b.symbol}.US`, 'D', compact(b.date), '000000', b.open, b.high, b.low, b.close, b.volume, 0].join(','),
      ),
  },
  {
    layout: 'nasdaq',
    prices: 'split_adjusted',
    headerLines: 1,
    files: (bars) =>
      bySymbol(
        bars.toReversed(),
        (symbol) => `${symbol}.csv`,
        ['Date,Close/Last,Volume,Open,High,Low'],
        (b) => [slashed(b.date), `$${b.close}`, b.volume, `$${b.open}`, `$${b.high}`, `$${b.low}`].join(','),
      ),
  },
  {
    layout: 'alpha_vantage',
    prices: 'as_traded',
    headerLines: 1,
    files: (bars) =>
      bySymbol(
        bars.toReversed(),
        (symbol) => `daily_adjusted_${symbol}.csv`,
        ['timestamp,open,high,low,close,adjusted_close,volume,dividend_amount,split_coefficient'],
        (b) => [b.date, b.open, b.high, b.low, b.close, b.close, b.volume, '0.0000', '1.0'].join(','),
      ),
  },
  {
    layout: 'tiingo',
    prices: 'as_traded',
    headerLines: 1,
    files: (bars) =>
      bySymbol(
        bars,
        (symbol) => `${symbol}.csv`,
        ['date,close,high,low,open,volume,adjClose,adjHigh,adjLow,adjOpen,adjVolume,divCash,splitFactor'],
        (b) =>
          [
            `${b.date}T00:00:00+00:00`,
            b.close,
            b.high,
            b.low,
            b.open,
            b.volume,
            b.close,
            b.high,
            b.low,
            b.open,
            b.volume,
            '0.0',
            '1.0',
          ].join(','),
      ),
  },
  {
    layout: 'eodhd',
    prices: 'as_traded',
    headerLines: 1,
    files: (bars) =>
      bySymbol(
        bars,
        (symbol) => `${symbol}.US.csv`,
        ['Date,Open,High,Low,Close,Adjusted_close,Volume'],
        (b) => [b.date, b.open, b.high, b.low, b.close, b.close, b.volume].join(','),
      ),
  },
  {
    layout: 'sharadar',
    prices: 'as_traded',
    headerLines: 1,
    files: (bars) =>
      inOne(bars, 'SHARADAR_SEP.csv', 'ticker,date,open,high,low,close,volume,closeadj,closeunadj,lastupdated', (b) =>
        [b.symbol, b.date, b.open, b.high, b.low, b.close, b.volume, b.close, b.close, '2026-08-14'].join(','),
      ),
  },
  {
    layout: 'kaggle',
    prices: 'split_adjusted',
    headerLines: 1,
    files: (bars) =>
      inOne(bars, 'all_stocks_5yr.csv', 'date,open,high,low,close,volume,Name', (b) =>
        [b.date, b.open, b.high, b.low, b.close, b.volume, b.symbol].join(','),
      ),
  },
  {
    layout: 'text',
    prices: 'unknown',
    headerLines: 1,
    files: (bars) =>
      bySymbol(
        bars,
        (symbol) => `${symbol}.txt`,
        ['Date,Open,High,Low,Close,Volume'],
        (b) => [b.date, b.open, b.high, b.low, b.close, b.volume].join(','),
      ),
  },
  {
    layout: 'alpaca',
    prices: 'as_traded',
    headerLines: 1,
    files: (bars) =>
      inOne(bars, 'bars.csv', 'symbol,t,o,h,l,c,v,n,vw', (b) =>
        [b.symbol, `${b.date}T04:00:00Z`, b.open, b.high, b.low, b.close, b.volume, 10, b.close].join(','),
      ),
  },
  {
    layout: 'massive',
    prices: 'as_traded',
    headerLines: 1,
    files: (bars) =>
      inOne(bars, 'day_aggs.csv', 'ticker,volume,open,close,high,low,window_start,transactions', (b) =>
        [b.symbol, b.volume, b.open, b.close, b.high, b.low, `${midnight(b.date)}000000`, 12].join(','),
      ),
  },
  {
    layout: 'databento',
    prices: 'as_traded',
    headerLines: 1,
    files: (bars) =>
      inOne(bars, 'ohlcv-1d.csv', 'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol', (b) =>
        [
          `${Date.parse(`${b.date}T00:00:00Z`)}000000`,
          35,
          90,
          38,
          ...[b.open, b.high, b.low, b.close].map(nano),
          b.volume,
          b.symbol,
        ].join(','),
      ),
  },
];
