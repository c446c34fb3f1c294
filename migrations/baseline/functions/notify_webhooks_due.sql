create function notify_webhooks_due() returns trigger language plpgsql as $$
begin
  perform pg_notify('webhooks_due', '');
  return null;
end $$;
