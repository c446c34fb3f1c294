/** The views that a query has, apart from the process that opens it: the benchmarks use them too. */

import { COLUMNS_VIEW } from '../contracts/sql.ts';

/** Prices on the share count of the newest bar. */
const SPLIT = '(s.split_factor / b.split_factor)';

/** The file of `my_columns`, which has no name but is open in the process of the query. */
export const COLUMNS_FILE = '/dev/fd/3';

/** The columns of the caller. `hasFile`: their rows are there too. */
export const columnsView = (hasFile: boolean) =>
  hasFile
    ? `create view ${COLUMNS_VIEW} as from read_parquet('${COLUMNS_FILE}')`
    : `create view ${COLUMNS_VIEW} as
         select '' as name, '' as owner, '' as symbol, date '2000-01-01' as date, '' as known_at, date '2000-01-01' as seen,
           0::double as value, '' as label, 0 as version, 0 as added_in
         where false`;

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
