/** The views that a query has of the lake, apart from the process that opens it: the benchmarks use them too. */

/** Prices on the share count of the newest bar. */
const SPLIT = '(s.split_factor / b.split_factor)';

/** Views over the files of a lake in the working folder. */
export const VIEW_DEFINITIONS: readonly string[] = [
  `create view bars as
     select symbol, date, open, high, low, close, volume, split_factor, total_factor, venue_mode, year
     from read_parquet('daily_bars/*/*/*.parquet', hive_partitioning = true,
       hive_types = {'venue_mode': varchar, 'year': integer})`,
  `create view symbols as from read_parquet('symbols.parquet')`,
  `create view events as from read_parquet('events.parquet')`,
  `create view sessions as from read_parquet('sessions.parquet')`,
  `create view screener_daily as
     select * exclude (year) from read_parquet('screener_daily/*/*.parquet', hive_partitioning = true)`,
  `create view bars_adjusted as
     select b.symbol, b.date, b.open * ${SPLIT} as open, b.high * ${SPLIT} as high, b.low * ${SPLIT} as low,
       b.close * ${SPLIT} as close, b.volume / ${SPLIT} as volume,
       b.close * (s.total_factor / b.total_factor) as total_return_close, b.venue_mode, b.year
     from bars b join symbols s using (symbol)`,
];
