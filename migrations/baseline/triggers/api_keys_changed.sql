create trigger api_keys_changed
  after delete or update of id, user_id, name, key_hash, prefix, enabled, created_at, slot, disabled_by_restore on api_keys
  for each row execute function notify_callers_changed('user_id');
