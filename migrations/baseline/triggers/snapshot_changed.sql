create trigger snapshot_changed after insert on snapshots
  for each row execute function notify_snapshot();
