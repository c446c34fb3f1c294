create function tell_export_ended() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(new.user_id, 'export.done', new.finished_at, json_build_object('id', new.id, 'status', new.status,
    'rows', new.rows, 'bytes', new.bytes, 'sha256', new.checksum_sha256));
  return null;
end $$;
