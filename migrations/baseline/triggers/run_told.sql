create trigger run_told after update of status on runs
  for each row when (old.finished_at is null and new.finished_at is not null and new.user_id is not null
    and new.kind in ('backtest', 'optimize', 'portfolio'))
  execute function tell_run_ended();
