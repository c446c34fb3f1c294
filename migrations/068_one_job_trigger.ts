import type { Knex } from 'knex';

/**
 * One trigger, `job_changed`, follows the jobs of pg-boss instead of four. The server copies and parses the condition of each trigger anew
 * for every statement, so each costs a job that needs none of them. A job that becomes active or is completed needs nothing.
 *
 * The queue fails a job by deleting its row and inserting it again. That insert, and no other, has a job that waits or has failed, and
 * has been started.
 *
 * `notify_job_wake` stays, because earlier versions look for its comment before they would install its trigger.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function follow_job() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' and new.state in ('retry', 'failed') and new.started_on is not null then
        insert into job_attempts (queue, job_id, attempt, worker, taken_at, ended_at, error)
        values (new.name, new.id, new.retry_count + 1, ${WORKER}, new.started_on, now(), ${MASKED_ERROR})
        on conflict do nothing;
      end if;
      if new.state in ('failed', 'cancelled') then
        ${END_RUN};
        if new.name in ('sweep.chunk', 'sweep.assemble') then
          ${END_SWEEP};
        end if;
      elsif new.state < 'active' and not new.blocked and new.start_after <= now() then
        perform pg_notify('job_wake', new.name);
      end if;
      return null;
    end $$;

    create or replace function begin_given_job() returns trigger language plpgsql as $$
    begin
      if new.state = 'created' and position(new.id::text in current_setting('jobs.given')) > 0 then
        new.state := 'active';
        new.started_on := now();
        new.heartbeat_on := now();
      end if;
      return new;
    end $$;

    drop trigger if exists job_wake on pgboss.job;
    drop trigger if exists job_attempt_failed on pgboss.job;
    drop trigger if exists backtest_job_ended on pgboss.job;
    drop trigger if exists sweep_job_ended on pgboss.job;
    drop function if exists record_job_attempt();
    drop function if exists end_backtest_run();
    drop function if exists end_sweep();
    create or replace trigger job_changed after insert or update of state, start_after, blocked on pgboss.job
      for each row when (new.state <> 'active' and new.state <> 'completed') execute function follow_job();
    create or replace trigger job_given before insert on pgboss.job
      for each row when (current_setting('jobs.given', true) <> '') execute function begin_given_job();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function follow_job() cascade;
    create function record_job_attempt() returns trigger language plpgsql as $$
    begin
      insert into job_attempts (queue, job_id, attempt, worker, taken_at, ended_at, error)
      values (new.name, new.id, new.retry_count + 1, ${WORKER}, new.started_on, now(), ${MASKED_ERROR})
      on conflict do nothing;
      return null;
    end $$;
    create function end_backtest_run() returns trigger language plpgsql as $$
    begin
      ${END_RUN};
      return null;
    end $$;
    create function end_sweep() returns trigger language plpgsql as $$
    begin
      ${END_SWEEP};
      return null;
    end $$;
    create trigger job_wake after insert or update of state, start_after, blocked on pgboss.job
      for each row when (new.state < 'active' and not new.blocked and new.start_after <= now())
      execute function notify_job_wake();
    create trigger job_attempt_failed after insert on pgboss.job
      for each row when (new.state in ('retry', 'failed') and new.started_on is not null)
      execute function record_job_attempt();
    create trigger backtest_job_ended after insert or update of state on pgboss.job
      for each row when (new.state in ('failed', 'cancelled')) execute function end_backtest_run();
    create trigger sweep_job_ended after insert or update of state on pgboss.job
      for each row when (new.name in ('sweep.chunk', 'sweep.assemble') and new.state in ('failed', 'cancelled'))
      execute function end_sweep();
    create or replace function begin_given_job() returns trigger language plpgsql as $$
    begin
      if position(new.id::text in current_setting('jobs.given')) > 0 then
        new.state := 'active';
        new.started_on := now();
        new.heartbeat_on := now();
      end if;
      return new;
    end $$;
    create or replace trigger job_given before insert on pgboss.job for each row
      when (coalesce(current_setting('jobs.given', true), '') <> '' and new.state = 'created')
      execute function begin_given_job();
  `);
}

const WORKER = `
  (select w.name from job_claims c join workers w using (worker_key)
   where c.queue = new.name and c.job_id = new.id and c.attempt = new.retry_count)`;

const MASKED_ERROR = `
  left(regexp_replace(coalesce(new.output ->> 'message', new.output::text), '[^\\s<>"]+@[^\\s<>"]+', '<address>', 'g'), 2000)`;

const END_RUN = `
  update backtest_runs set finished_at = now(),
    status = case when new.state = 'cancelled' then 'cancelled' else 'failed' end,
    error_code = case when new.state = 'failed' then 'internal' end
  where id = new.id and status in ('queued', 'running')`;

const END_SWEEP = `
  update sweeps set status = 'failed', finished_at = now(),
    error_code = case when new.state = 'cancelled' then 'backtest_cancelled' else 'internal' end
  where id = (new.data ->> 'sweepId')::uuid and status = 'running'`;
