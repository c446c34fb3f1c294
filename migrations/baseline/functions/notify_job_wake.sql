create function notify_job_wake() returns trigger language plpgsql as $$
begin
  perform pg_notify('job_wake', new.name);
  return null;
end $$;
comment on function notify_job_wake is 'job signals 8c42eadf9562a256';
