create trigger run_spec_copied before insert on backtest_runs
  for each row execute function copy_run_spec();
