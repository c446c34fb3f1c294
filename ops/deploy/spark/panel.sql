-- The panel of a rotation: at the end of each month the momentum of every instrument over twelve months without the last one, its rank,
-- and whether it is among the first. `:start` is the first day of the range, `:top` how many names are held.
with bars as (
  -- The bars of runs. Prices of different days compare where each is divided by the factor of its day.
  select symbol, date, close / total_factor as close from lake.market.daily_bars
  where (venue_mode = 'primary_session' and date < date '2024-07-01')
    or (venue_mode = 'consolidated' and date >= date '2024-07-01')
),
momentum as (
  select symbol, date, lag(close, 21) over own / lag(close, 252) over own - 1 as score,
    date = max(date) over (partition by symbol) as is_last
  from bars window own as (partition by symbol order by date)
),
sessions as (select distinct date from bars where date >= :start),
rebalances as (
  -- The newest month is not over.
  select max(date) as date from sessions group by trunc(date, 'month') having max(date) < (select max(date) from sessions)
),
ranked as (
  select date, symbol, score, row_number() over (partition by date order by score desc, symbol) as rank
  from momentum join rebalances using (date) join lake.market.symbols using (symbol)
  -- On its last bar a delisted instrument is not bought.
  where score is not null and not (is_last and delisted_on is not null)
)
select date, symbol, score, rank, rank <= :top as is_held from ranked order by date, rank
