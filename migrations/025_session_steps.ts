import type { Knex } from 'knex';

const LOADS = `case basis when 1 then 'load_consolidated' when 2 then 'load_single_venue' else 'load_primary_session' end`;

/** The steps of each session. Only the outcome is known of earlier ones. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('session_steps', (t) => {
    t.date('day').notNullable();
    t.text('step')
      .notNullable()
      .checkIn([
        'load_primary_session',
        'load_consolidated',
        'load_single_venue',
        'check',
        'snapshot',
        'lake',
        'signals',
        'webhooks',
        'impact',
      ]);
    t.text('state').notNullable().checkIn(['running', 'done', 'held', 'failed']);
    t.timestamp('started_at').notNullable();
    t.timestamp('ended_at');
    t.timestamp('done_at').comment('When it was done first; null: never');
    t.bigInteger('rows');
    t.text('reason').comment('Why it was not done; null: it was, or it runs');
    t.uuid('job_id').comment('Null: no job did it');
    t.primary(['day', 'step']);
    t.check(`(state = 'running') = (ended_at is null)`, [], 'session_steps_running_has_no_end');
  });
  await knex.raw(
    `insert into session_steps (day, step, state, started_at, ended_at, done_at, rows)
     select day, ${LOADS}, 'done', loaded_at, loaded_at, loaded_at, rows from loaded_sessions where is_complete
     union all
     select day, 'check', case when problems <> '{}' and released_by is null then 'held' else 'done' end, checked_at, checked_at,
       case when problems = '{}' or released_by is not null then checked_at end, rows
       from session_checks where basis = 1`,
  );
  await knex.raw(
    `insert into session_steps (day, step, state, started_at, ended_at, done_at, rows)
     select newest_session, 'lake', 'done', written_at, written_at, written_at, (select coalesce(sum(rows), 0) from lake_files) from lake
     union all
     (select distinct on (as_of) as_of, 'snapshot', 'done', exported_at, exported_at, exported_at, bars
      from snapshots order by as_of, id desc)`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('session_steps');
}
