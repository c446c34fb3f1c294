create trigger sync_jobs_changed after insert or update on sync_jobs
  for each row execute function notify_sync_job();
