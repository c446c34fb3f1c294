import type { Knex } from 'knex';

/** Why a comparison that was asked for cannot be made: an outcome of its own, which no retry changes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table comparisons
      add column refusal text,
      drop constraint comparisons_finished,
      add constraint comparisons_finished check (num_nonnulls(result, refusal) = num_nonnulls(finished_at));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from comparisons where refusal is not null;
    alter table comparisons
      drop column refusal,
      add constraint comparisons_finished check (num_nonnulls(result, finished_at) in (0, 2));
  `);
}
