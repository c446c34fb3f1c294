/** A folder with some hundred sessions of invented instruments, for tests to change. */
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { type Day, formatDay, parseDay } from '../../engine/market/dates.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder } from './market-folder.ts';
import { lehmer } from './series.ts';

export interface MadeUpBar {
  readonly date: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export interface MadeUpMarket {
  readonly folder: MarketFolder;
  /** By ticker, oldest first; change them and call `write`. */
  readonly bars: Readonly<Record<string, MadeUpBar[]>>;
  /** Lines of `adjustments.csv` without its header. */
  readonly events: string[];
  write(): void;
}

const day = (text: string) => parseDay(text) as Day;
const cents = (price: number) => Math.round(price * 100) / 100;

function randomWalk(days: readonly Day[], seed: number): MadeUpBar[] {
  const random = lehmer(seed);
  let close = 50 + 100 * random();
  return days.map((at) => {
    const open = cents(close * (1 + 0.01 * (random() - 0.5)));
    close = cents(Math.max(1, open * (1 + 0.03 * (random() - 0.49))));
    return {
      date: formatDay(at),
      open,
      close,
      high: cents(Math.max(open, close) * (1 + 0.01 * random())),
      low: cents(Math.min(open, close) * (1 - 0.01 * random())),
      volume: 1_000 + Math.floor(9_000 * random()),
    };
  });
}

/** Makes consolidated bars of every session from `start` to `end`, in one file per year. */
export function madeUpMarket(tickers: readonly string[], start: string, end: string): MadeUpMarket {
  const days = sessionsBetween(day(start), day(end));
  const bars = Object.fromEntries(tickers.map((ticker, i) => [ticker, randomWalk(days, 17 * (i + 1))]));
  const folder = createMarketFolder();
  const market: MadeUpMarket = {
    folder,
    bars,
    events: [],
    write() {
      folder.write('symbols.csv', `symbol,asset_type\n${tickers.map((ticker) => `${ticker},stock\n`).join('')}`);
      folder.write('adjustments.csv', `symbol,ex_date,kind,factor\n${market.events.join('\n')}\n`);
      const lines = Object.entries(bars).flatMap(([ticker, own]) =>
        own.map(({ date, open, high, low, close, volume }) => ({
          year: date.slice(0, 4),
          line: `${ticker},${date},${open},${high},${low},${close},${volume}\n`,
        })),
      );
      for (const [year, own] of Map.groupBy(lines, (one) => one.year)) {
        folder.write(`daily/consolidated/${year}.csv`, BARS_HEADER + own.map(({ line }) => line).join(''));
      }
    },
  };
  market.write();
  return market;
}
