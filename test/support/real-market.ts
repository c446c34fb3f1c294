/** Real bars, where they are available. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import Papa from 'papaparse';
import type { Adjustment } from '../../engine/market/adjust.ts';
import { parseDay, requireDay } from '../../engine/market/dates.ts';
import { allocateSeries, type BarSeries } from '../../engine/market/series.ts';
import { spliceSeries } from '../../engine/market/venue-basis.ts';
import type { PortfolioMember } from '../../engine/portfolio/backtest.ts';

const MARKET = fileURLToPath(new URL('../../../shared/data/market/', import.meta.url));
const NEWEST = requireDay('2025-12-31');

export const hasRealMarket = existsSync(MARKET);

/** Reads the bars of some symbols on a venue basis, oldest first. */
function readBars(venueBasis: string, wanted: ReadonlySet<string>): Map<string, BarSeries> {
  const lines = new Map<string, string[][]>([...wanted].map((symbol) => [symbol, []]));
  const folder = join(MARKET, 'daily', venueBasis);
  for (const file of readdirSync(folder).sort()) {
    for (const line of gunzipSync(readFileSync(join(folder, file)))
      .toString('latin1')
      .split('\n')) {
      const end = line.indexOf(',');
      lines.get(line.slice(0, end))?.push(line.slice(end + 1).split(','));
    }
  }
  return new Map([...lines].map(([symbol, rows]) => [symbol, seriesOf(rows)]));
}

function seriesOf(rows: readonly string[][]): BarSeries {
  const series = allocateSeries(rows.length);
  const sorted = rows.toSorted((a, b) => (a[0] < b[0] ? -1 : 1));
  for (const [i, [date, ...values]] of sorted.entries()) {
    series.day[i] = requireDay(date);
    for (const [k, column] of (['open', 'high', 'low', 'close', 'volume'] as const).entries()) {
      series[column][i] = Number(values[k]);
    }
  }
  return series;
}

function readRows(name: string): Record<string, string>[] {
  return Papa.parse<Record<string, string>>(readFileSync(join(MARKET, name), 'utf8'), {
    header: true,
    skipEmptyLines: true,
  }).data;
}

/** The line of each ticker in the list of symbols; of two instruments with one ticker the later has the bars. */
export function readFacts(): Map<string, Record<string, string>> {
  return new Map(hasRealMarket ? readRows('symbols.csv').map((row) => [row.symbol, row]) : []);
}

/** The instruments of some tickers, with their whole histories as traded. */
export function readMembers(wanted: ReadonlySet<string>): Map<string, PortfolioMember> {
  const [primary, consolidated] = ['primary_session', 'consolidated'].map((venueBasis) => readBars(venueBasis, wanted));
  const events = Map.groupBy(readRows('adjustments.csv'), ({ symbol }) => symbol);
  const facts = readFacts();
  const empty = allocateSeries(0);
  return new Map(
    [...wanted].map((symbol) => [
      symbol,
      {
        symbol: `${symbol}.US`,
        asOf: NEWEST,
        series: {
          ...spliceSeries(primary.get(symbol) ?? empty, consolidated.get(symbol) ?? empty, NEWEST),
          listedOn: parseDay(facts.get(symbol)?.listed_on ?? '') ?? undefined,
        },
        events: (events.get(symbol) ?? []).map(({ ex_date, kind, factor }) => ({
          kind: kind as Adjustment['kind'],
          exDay: requireDay(ex_date),
          factor: Number(factor),
        })),
        lifetime: { listedOn: null, delistedOn: parseDay(facts.get(symbol)?.delisted_on ?? '') },
      },
    ]),
  );
}
