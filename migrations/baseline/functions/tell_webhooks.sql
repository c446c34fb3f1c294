-- Adds deliveries of an event in the transaction that makes it true. An event without an owner is of everybody.
create function tell_webhooks(owner bigint, told text, at timestamptz, told_data json) returns void language sql as $$
  insert into webhook_deliveries (webhook_id, event, data, created_at)
  select id, told, told_data, at from webhooks
  where is_enabled and told = any (events) and (owner is null or user_id = owner)
$$;
