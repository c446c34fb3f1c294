create function notify_sync_job() returns trigger language plpgsql as $$
begin
  perform pg_notify('sync_jobs', new.id || ' ' || new.status);
  return null;
end $$;
