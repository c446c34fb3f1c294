-- How tables are stored.

-- What a crash of the database loses of these can be computed again.
alter table backtest_results set unlogged;
alter table result_pieces set unlogged;
alter table rotation_chunks set unlogged;

-- Rows that are updated in place by every call.
alter table limiter_clock set (fillfactor = 50);
alter table rate_limits set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- Rows are forgotten after an hour. A table that is empty and has given its pages back looks like nothing to the planner:
-- what is prepared then reads the whole table, and goes on doing so while it fills up again.
alter table runs set (vacuum_truncate = false);
alter table backtest_results set (vacuum_truncate = false);

-- Compressed already, or read in parts.
alter table bar_blocks alter column data set storage external;
alter table backtest_results alter column klines set storage external, alter column equity set storage external,
  alter column positions set storage external;
alter table rotation_chunks alter column result set storage external;
alter table idempotency_answers alter column body set storage external;
alter table idempotency_pieces alter column bytes set storage external;
