create trigger export_told after update of status on exports
  for each row when (old.status <> new.status and new.status in ('done', 'failed'))
  execute function tell_export_ended();
