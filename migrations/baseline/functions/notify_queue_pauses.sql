create function notify_queue_pauses() returns trigger language plpgsql as $$
begin
  perform pg_notify('queue_pauses', '');
  return null;
end $$;
