-- Records the runs of one moment, each unless its owner has as many under way as its plan allows, and returns the
-- turns of the recorded ones; whoever calls it inserts their jobs in the same transaction. The locks of the owners
-- make the counts exact: every statement after them sees what others have committed. The turn of a run is its place
-- among the runs of its lane: after the owner's last turn, and not before the one that runs now. So an owner with
-- twenty waiting runs and one with a single run alternate.
create function admit(requested json, lane text[]) returns table (id uuid, turn integer)
  language plpgsql set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  -- In one order everywhere, so that two transactions never wait for each other.
  perform pg_advisory_xact_lock(7304, key)
    from (select distinct hashtext(each ->> 'owner') as key from json_array_elements(requested) each order by 1) owners;
  return query
  with placed as (
    select *, row_number() over (partition by owner order by place)::integer as nth
    from rows from (json_to_recordset(requested) as (id uuid, kind text, owner text, user_id bigint, is_saved boolean,
      history_max integer, spec json, request_id text, created_at timestamptz, max integer, seconds_max integer))
      with ordinality
      as each (id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, max, seconds_max, place))
  insert into runs
    (id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, seconds_max, turn)
  select id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, seconds_max,
    least(100000000, nth + greatest(
      (select max(turn) from runs r
       where r.owner = placed.owner and r.kind = any(lane) and r.status in ('queued', 'running')),
      (select min(turn) from runs r where r.kind = any(lane) and r.status = 'running'), 0))
  from placed
  where nth + (select count(*) from runs r where r.owner = placed.owner and r.status in ('queued', 'running')) <= max
  returning id, turn;
end $$;
