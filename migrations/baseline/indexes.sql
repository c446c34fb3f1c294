-- Indexes that the schema builder has no words for.

create index daily_bars_day_brin on daily_bars using brin (day) with (pages_per_range = 16);

create unique index sync_jobs_one_scheduled on sync_jobs (job_type, (request ->> 'venue_mode')) nulls not distinct
  where status = 'running' and requested_by = 'scheduler';
