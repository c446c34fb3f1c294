import type { Knex } from 'knex';

/**
 * The failed attempts of each job. The queue keeps only the last error: it fails a job by deleting its row and inserting it again,
 * ready for the next attempt or failed for good. That insert, and no other, has a job that has been started, so a job that ends well
 * costs nothing more. E-mail addresses in messages are masked.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table workers (
      worker_key bigint primary key,
      name text not null,
      started_at timestamptz not null default now()
    );
    create table job_attempts (
      queue text not null,
      job_id uuid not null,
      attempt integer not null check (attempt > 0),
      worker text,
      taken_at timestamptz not null,
      ended_at timestamptz not null,
      error text,
      primary key (job_id, attempt)
    );
    comment on column workers.worker_key is 'That of its claims';
    comment on column workers.name is 'Machine and process';

    create function record_job_attempt() returns trigger language plpgsql as $$
    begin
      insert into job_attempts (queue, job_id, attempt, worker, taken_at, ended_at, error)
      values (new.name, new.id, new.retry_count + 1,
        (select w.name from job_claims c join workers w using (worker_key)
         where c.queue = new.name and c.job_id = new.id and c.attempt = new.retry_count),
        new.started_on, now(),
        left(regexp_replace(coalesce(new.output ->> 'message', new.output::text), '[^\\s<>"]+@[^\\s<>"]+', '<address>', 'g'), 2000))
      on conflict do nothing;
      return null;
    end $$;
    create trigger job_attempt_failed after insert on pgboss.job
      for each row when (new.state in ('retry', 'failed') and new.started_on is not null)
      execute function record_job_attempt();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function record_job_attempt() cascade; drop table job_attempts, workers;');
}
