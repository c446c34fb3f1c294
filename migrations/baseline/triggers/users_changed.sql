create trigger users_changed after update or delete on users
  for each row execute function notify_callers_changed('id');
