create trigger webhook_deliveries_due after insert or update of due_at on webhook_deliveries
  for each row when (new.due_at = '-infinity')
  execute function notify_webhooks_due();
