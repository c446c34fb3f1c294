create trigger queue_pauses_changed after insert or update or delete on paused_queues
  for each statement execute function notify_queue_pauses();
