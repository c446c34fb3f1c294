create function calls_within(counts integer[], buckets integer) returns integer language sql immutable parallel safe
  return (select coalesce(sum(calls), 0)::integer from unnest(counts[1:buckets]) calls);
comment on function calls_within is 'Calls in the newest buckets of a window of rate_limits';
