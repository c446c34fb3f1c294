/** A market whose sessions are published one by one. */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { formatDay, newYorkDay } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder } from '../market-folder.ts';
import { lehmer } from '../series.ts';

const TICKERS = ['ACRX', 'BRVA', 'MTMX', 'OLNE', 'SYPH', 'TRVD'];
const DAYS = 150;

export interface GrowingMarket {
  readonly folder: MarketFolder;
  /** The first session. */
  readonly first: string;
  /** Publishes the next session and returns it. */
  publish(): string;
}

/** `later`: sessions that are not published at first. */
export function growingMarket(later: number): GrowingMarket {
  const today = newYorkDay(Date.now());
  const sessions = sessionsBetween(today - DAYS, today - 3).map(formatDay);
  const folder = createMarketFolder({
    'symbols.csv': `symbol,asset_type\n${TICKERS.map((one) => `${one},stock\n`).join('')}`,
  });
  mkdirSync(join(folder.path, 'daily/consolidated'), { recursive: true });
  const closes = TICKERS.map(() => 100);
  const random = lehmer(17);
  const lineOf = (day: string, ticker: string, i: number) => {
    const open = closes[i];
    closes[i] = Math.round(100 * open * (1 + 0.03 * (random() - 0.49))) / 100;
    return `${ticker},${day},${open},${Math.max(open, closes[i])},${Math.min(open, closes[i])},${closes[i]},5000\n`;
  };
  const publish = () => {
    const day = required(sessions.shift());
    folder.write('next', BARS_HEADER + TICKERS.map((ticker, i) => lineOf(day, ticker, i)).join(''));
    // The whole file at once.
    renameSync(join(folder.path, 'next'), join(folder.path, `daily/consolidated/${day}.csv`));
    return day;
  };
  const first = publish();
  while (sessions.length > later) publish();
  return { folder, first, publish };
}
