create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
