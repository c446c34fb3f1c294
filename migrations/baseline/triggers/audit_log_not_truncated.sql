create trigger audit_log_not_truncated before truncate on audit_log
  for each statement execute function refuse_audit_change();
