import type { Knex } from 'knex';

/** Version that earlier versions compare before they install these triggers themselves; it spares them the attempt. */
const COMMENT = 'job signals 8c42eadf9562a256';

/**
 * Triggers on the jobs of pg-boss, whose schema exists before migrations run. Earlier versions installed the same triggers at
 * each start; a database may have them already.
 *
 * `job_wake`: a job that can run (sent, retried, resumed) wakes the workers of its queue. `backtest_job_ended`: a backtest whose
 * job fails or is canceled ends with it, so that its caller does not wait and its slot is free.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function notify_job_wake() returns trigger language plpgsql as $$
    begin
      perform pg_notify('job_wake', new.name);
      return null;
    end $$;
    create or replace trigger job_wake after insert or update of state, start_after, blocked on pgboss.job
      for each row when (new.state < 'active' and not new.blocked and new.start_after <= now())
      execute function notify_job_wake();
    comment on function notify_job_wake() is '${COMMENT}';

    create or replace function end_backtest_run() returns trigger language plpgsql as $$
    begin
      update backtest_runs set finished_at = now(),
        status = case when new.state = 'cancelled' then 'cancelled' else 'failed' end,
        error_code = case when new.state = 'failed' then 'internal' end
      where id = new.id and status in ('queued', 'running');
      return null;
    end $$;
    create or replace trigger backtest_job_ended after insert or update of state on pgboss.job
      for each row when (new.name in ('backtest', 'optimize') and new.state in ('failed', 'cancelled'))
      execute function end_backtest_run();
  `);
}

/** The version before installs them again at its next start. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function notify_job_wake() cascade; drop function end_backtest_run() cascade;');
}
