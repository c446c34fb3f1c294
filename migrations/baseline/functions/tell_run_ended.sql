create function tell_run_ended() returns trigger language plpgsql as $$
begin
  if exists (select from webhooks w where w.user_id = new.user_id) then
    perform tell_webhooks(new.user_id, case new.kind when 'portfolio' then 'portfolio.finished' else 'backtest.finished' end,
      new.finished_at, json_build_object('job_id', new.id, 'kind', new.kind, 'status', new.status, 'id', new.backtest_id,
        'error', 'error.' || new.error_code));
  end if;
  return null;
end $$;
