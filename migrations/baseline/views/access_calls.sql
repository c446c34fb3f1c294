-- A row for each request of access_records.
create view access_calls as
  select r.id, r.at - c.ms_ago * interval '1 millisecond' as at, r.visitor, r.user_id, r.client_kind, r.method, r.path,
    r.is_page, r.referrer, r.status, c.duration_ms, r.country
  from access_records r cross join lateral
    unnest(0 || r.earlier_ms_ago, r.duration_ms || r.earlier_duration_ms) c (ms_ago, duration_ms);
