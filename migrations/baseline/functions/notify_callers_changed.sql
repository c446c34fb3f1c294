-- Tells every API process whose account, API keys, or login sessions have changed. The moment at which a key was last
-- used changes no rights.
create function notify_callers_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or to_jsonb(old) - 'last_used_at' <> to_jsonb(new) - 'last_used_at' then
    perform pg_notify('callers_changed', to_jsonb(old) ->> tg_argv[0]);
  end if;
  return null;
end $$;
