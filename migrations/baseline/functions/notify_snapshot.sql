create function notify_snapshot() returns trigger language plpgsql as $$
begin
  perform pg_notify('snapshot_changed', new.id::text);
  return null;
end $$;
