import type { Knex } from 'knex';

/** Delistings have returns, at which positions are closed. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('instruments', (t) => {
    t.double('delisting_return_pct').comment('In percent of the last close; null: not known');
    t.check('delisting_return_pct between -100 and 1000', [], 'instruments_delisting_return_check');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('instruments', (t) => t.dropColumn('delisting_return_pct'));
}
