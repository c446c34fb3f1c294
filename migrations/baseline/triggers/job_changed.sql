-- The server copies and parses the condition of each trigger anew for every statement: one trigger costs less than several.
-- A job that becomes active or is completed needs nothing.
create trigger job_changed after insert or update of state, start_after, blocked on pgboss.job
  for each row when (new.state <> 'active' and new.state <> 'completed')
  execute function follow_job();
