create trigger sessions_changed after update or delete on sessions
  for each row execute function notify_callers_changed('user_id');
