create function delete_access_records() returns trigger language plpgsql as $$
begin
  delete from access_records where user_id in (select id from deleted);
  return null;
end $$;
