create trigger run_ended after update of status on runs
  for each row when (new.finished_at is not null)
  execute function notify_backtest_ended();
