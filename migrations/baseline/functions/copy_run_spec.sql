create function copy_run_spec() returns trigger language plpgsql as $$
begin
  new.spec := coalesce(new.spec, new."order");
  new."order" := coalesce(new."order", new.spec);
  return new;
end $$;
