import type { Knex } from 'knex';

/** Comparisons of the loaded bars with those of another provider. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table comparisons (
      id bigserial primary key,
      basis smallint not null,
      against text not null,
      folder text,
      start_day date not null,
      end_day date not null,
      tolerance_pct double precision not null check (tolerance_pct >= 0),
      volume_tolerance_pct double precision not null check (volume_tolerance_pct >= 0),
      requested_by text not null,
      requested_at timestamptz not null,
      queue_job_id uuid not null,
      progress_pct double precision not null default 0,
      result jsonb,
      finished_at timestamptz,
      check (start_day <= end_day),
      constraint comparisons_finished check (num_nonnulls(result, finished_at) in (0, 2))
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table comparisons');
}
