create trigger sweep_told after update of status on sweeps
  for each row when (old.finished_at is null and new.finished_at is not null)
  execute function tell_sweep_ended();
