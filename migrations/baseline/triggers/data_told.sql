create trigger data_told after insert on snapshots
  for each row execute function tell_data_loaded();
