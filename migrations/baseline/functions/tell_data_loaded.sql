create function tell_data_loaded() returns trigger language plpgsql as $$
begin
  if new.data_version is distinct from
    (select data_version from snapshots where id < new.id order by id desc limit 1) then
    perform tell_webhooks(null, 'data.loaded', new.exported_at,
      json_build_object('session', new.as_of, 'instruments', new.instruments));
  end if;
  return null;
end $$;
