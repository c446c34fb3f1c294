import type { Knex } from 'knex';

/** Only an index's owner may summarize it, and the role that serves owns nothing. */
export async function up(knex: Knex): Promise<void> {
  // Some databases have it already.
  await knex.raw(`
    create or replace function index_new_days() returns void language sql security definer
      set search_path = public, pg_temp as $$ select brin_summarize_new_values('daily_bars_day_brin') $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function index_new_days');
}
