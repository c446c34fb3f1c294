-- Only an index's owner may summarize it, and the role that serves owns nothing.
create function index_new_days() returns void
  language sql security definer set search_path = public, pg_temp as $$ select brin_summarize_new_values('daily_bars_day_brin') $$;
