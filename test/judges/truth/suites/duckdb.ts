/** Adjusted bars, weeks and months, and figures of the screener against SQL of DuckDB over bars as they were traded. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import {
  ADJUST_MODES,
  type AdjustMode,
  adjustSeries,
  countingKinds,
  effectiveEvents,
} from '../../../../engine/market/adjust.ts';
import { dayOf, formatDay } from '../../../../engine/market/dates.ts';
import { type BarSeries, resample, sliceSeries, VALUE_COLUMNS } from '../../../../engine/market/series.ts';
import { blocksOf } from '../../../../engine/screener/blocks.ts';
import { requireField } from '../../../../engine/screener/fields.ts';
import { type TradedSeries, tradedSample } from '../sample-series.ts';
import type { Pair, Suite } from '../suite.ts';

const [FIRST_YEAR, LAST_YEAR] = [2019, 2023];
const LAST_DAY = dayOf(LAST_YEAR, 12, 31);
const TABLES = `
  create table bars (symbol varchar, day integer, open double, high double, low double, close double, volume double);
  create table events (symbol varchar, day integer, kind varchar, factor double);
  create table adjusted as from bars limit 0;`;

async function openTables(sample: readonly TradedSeries[]): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(TABLES);
  const bars = await connection.createAppender('bars');
  const events = await connection.createAppender('events');
  for (const { symbol, series, events: ofSymbol } of sample) {
    for (let t = 0; t < series.length; t++) {
      bars.appendVarchar(symbol);
      bars.appendInteger(series.day[t]);
      for (const column of VALUE_COLUMNS) bars.appendDouble(series[column][t]);
      bars.endRow();
    }
    for (const { exDay, kind, factor } of ofSymbol) {
      events.appendVarchar(symbol);
      events.appendInteger(exDay);
      events.appendVarchar(kind);
      events.appendDouble(factor);
      events.endRow();
    }
  }
  bars.closeSync();
  events.closeSync();
  return connection;
}

type Row = Readonly<Record<string, unknown>>;

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);

/** Rows by symbol and day. */
async function rowsOf(connection: DuckDBConnection, sql: string): Promise<ReadonlyMap<string, Row>> {
  const rows = (await connection.runAndReadAll(sql)).getRowObjectsJS();
  return new Map(rows.map((row) => [`${row.symbol} ${row.day}`, row]));
}

/** Prices × the factors of later events, volume ÷ those that change the share count. */
function adjustedSql(mode: AdjustMode): string {
  const listOf = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ') || `''`;
  const factorOf = (kinds: readonly string[]) =>
    `coalesce((select product(e.factor) from events e where e.symbol = b.symbol and e.day > b.day and e.kind in (${listOf(kinds)})), 1)`;
  const shares = mode === 'none' ? [] : countingKinds('split');
  return `select symbol, day, open * f as open, high * f as high, low * f as low, close * f as close, volume / s as volume
    from (select *, ${factorOf(countingKinds(mode))} as f, ${factorOf(shares)} as s from bars b)`;
}

const adjusted = ({ series, events }: TradedSeries, mode: AdjustMode) =>
  adjustSeries(series, effectiveEvents(events, LAST_DAY, mode));

function compareBars(kind: string, symbol: string, series: BarSeries, theirs: ReadonlyMap<string, Row>): Pair[] {
  return Array.from(series.day).flatMap((day, t) => {
    const row = theirs.get(`${symbol} ${day}`);
    return VALUE_COLUMNS.map((column) => ({
      name: `${kind} ${column} of ${symbol} on ${formatDay(day)}`,
      theirs: numberOf(row?.[column]),
      ours: series[column][t],
    }));
  });
}

async function compareAdjusted(connection: DuckDBConnection, sample: readonly TradedSeries[]): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const mode of ADJUST_MODES) {
    const theirs = await rowsOf(connection, adjustedSql(mode));
    for (const one of sample) pairs.push(...compareBars(`adjust: ${mode},`, one.symbol, adjusted(one, mode), theirs));
  }
  return pairs;
}

async function comparePeriods(connection: DuckDBConnection, sample: readonly TradedSeries[]): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const period of ['week', 'month'] as const) {
    const theirs = await rowsOf(
      connection,
      `select symbol, max(day) as day, arg_min(open, day) as open, max(high) as high, min(low) as low,
         arg_max(close, day) as close, sum(volume) as volume
       from adjusted group by symbol, date_trunc('${period}', date '1970-01-01' + day)`,
    );
    for (const one of sample)
      pairs.push(...compareBars(period, one.symbol, resample(adjusted(one, 'split'), period), theirs));
  }
  return pairs;
}

/** The fields of the screener that SQL can express, at each bar. */
const FIELDS_SQL: Readonly<Record<string, string>> = {
  change_pct: '100 * (close / prev - 1)',
  gap_pct: '100 * (open / prev - 1)',
  dollar_volume: 'close * volume',
  volume_ratio: 'volume / avg(volume) over (w rows between 20 preceding and 1 preceding)',
  sma: 'avg(close) over (w rows 49 preceding)',
  price_vs_sma_pct: '100 * (close / avg(close) over (w rows 49 preceding) - 1)',
  sma_slope_pct:
    '100 * (avg(close) over (w rows 49 preceding) / avg(close) over (w rows between 54 preceding and 5 preceding) - 1)',
  above_sma: 'cast(close > avg(close) over (w rows 49 preceding) as integer)',
  roc_pct: '100 * (close / lag(close, 20) over w - 1)',
  volatility_pct: '100 * sqrt(252) * stddev_samp(ln(close / prev)) over (w rows 19 preceding)',
  near_high_pct: '100 * close / max(high) over (w rows 251 preceding)',
  new_high: 'cast(high > max(high) over (w rows between 252 preceding and 1 preceding) as integer)',
  new_low: 'cast(low < min(low) over (w rows between 252 preceding and 1 preceding) as integer)',
  pullback_from_high_pct: '100 * (1 - close / max(high) over (w rows 59 preceding))',
  range_position_pct:
    '100 * (close - min(low) over (w rows 19 preceding)) / (max(high) over (w rows 19 preceding) - min(low) over (w rows 19 preceding))',
  days_since_high: 'cast(bar - arg_max(bar, (high, bar)) over (w rows 251 preceding) as double)',
};

/** At the last bar of each month of the last three years: every window is full by then. */
async function compareFields(connection: DuckDBConnection, sample: readonly TradedSeries[]): Promise<Pair[]> {
  const columns = Object.entries(FIELDS_SQL).map(([field, sql]) => `${sql} as ${field}`);
  const theirs = await rowsOf(
    connection,
    `select symbol, day, ${columns.join(', ')}
     from (select *, lag(close) over (partition by symbol order by day) as prev,
             row_number() over (partition by symbol order by day) as bar from adjusted)
     window w as (partition by symbol order by day)`,
  );
  return sample.flatMap((one) => {
    const series = adjusted(one, 'split');
    const monthEnds = [...resample(series, 'month').day].filter((day) => day >= dayOf(LAST_YEAR - 2, 1, 1));
    return monthEnds.flatMap((day) => {
      const bars = sliceSeries(series, 0, series.day.indexOf(day) + 1);
      const window = {
        bars,
        from: 0,
        to: bars.length,
        barsBefore: 0,
        carried: null,
        instrument: 0,
        blocks: blocksOf(bars),
      };
      const row = theirs.get(`${one.symbol} ${day}`);
      return Object.keys(FIELDS_SQL).map((code) => {
        const { compute, defaultPeriod } = requireField(code);
        return {
          name: `${code} of ${one.symbol} on ${formatDay(day)}`,
          theirs: numberOf(row?.[code]),
          ours: compute(window, defaultPeriod ?? 0),
        };
      });
    });
  });
}

export const DUCKDB: Suite = {
  name: 'duckdb',
  title: 'DuckDB',
  source: '@duckdb/node-api 1.5.6-r.1',
  compares:
    'SQL over bars as they were traded: bars adjusted for splits and for total return, weeks and months, and 16 fields of the screener at each end of a month',
  tolerance: 1e-9,
  needsPython: false,
  async pairs(choose) {
    const sample = choose(tradedSample(10, FIRST_YEAR, LAST_YEAR), 2);
    const connection = await openTables(sample);
    await connection.run(`insert into adjusted ${adjustedSql('split')}`);
    const pairs = [
      ...(await compareAdjusted(connection, sample)),
      ...(await comparePeriods(connection, sample)),
      ...(await compareFields(connection, sample)),
    ];
    connection.closeSync();
    return pairs;
  },
};
