-- Follows the jobs of pg-boss: records failed attempts, ends the run or sweep of a job that failed or was canceled, and
-- wakes the workers of a job that can run. The queue fails a job by deleting its row and inserting it again. That insert,
-- and no other, has a job that waits or has failed, and has been started. E-mail addresses in messages are masked.
create function follow_job() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.state in ('retry', 'failed') and new.started_on is not null then
    insert into job_attempts (queue, job_id, attempt, worker, taken_at, ended_at, error)
    values (new.name, new.id, new.retry_count + 1,
      (select w.name from job_claims c join workers w using (worker_key)
      where c.queue = new.name and c.job_id = new.id and c.attempt = new.retry_count), new.started_on, now(),
      left(regexp_replace(coalesce(new.output ->> 'message', new.output::text), '[^\s<>"]+@[^\s<>"]+', '<address>', 'g'), 2000))
    on conflict do nothing;
  end if;
  if new.state in ('failed', 'cancelled') then
    update runs set finished_at = now(),
      status = case when new.state = 'cancelled' then 'cancelled' else 'failed' end,
      error_code = case when new.state = 'failed' then 'internal' end
    where id = new.id and status in ('queued', 'running');
    if new.name in ('sweep.chunk', 'sweep.assemble') then
      update sweeps set status = 'failed', finished_at = now(),
        error_code = case when new.state = 'cancelled' then 'backtest_cancelled' else 'internal' end
      where id = (new.data ->> 'sweepId')::uuid and status = 'running';
    end if;
  elsif new.state < 'active' and not new.blocked and new.start_after <= now() then
    perform pg_notify('job_wake', new.name);
  end if;
  return null;
end $$;
