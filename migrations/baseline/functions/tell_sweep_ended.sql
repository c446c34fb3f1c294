create function tell_sweep_ended() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(new.user_id, 'sweep.finished', new.finished_at, json_build_object('id', new.id, 'status', new.status,
    'cells', new.cells_done, 'error', 'error.' || new.error_code));
  return null;
end $$;
