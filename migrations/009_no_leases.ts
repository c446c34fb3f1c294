import type { Knex } from 'knex';

const TABLE = 'rate_limits';

/** The limiter takes no units ahead: each call is counted when it is made. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable(TABLE, (t) => t.dropColumns('leased', 'leased_until'));
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable(TABLE, (t) => {
    t.integer('leased')
      .notNullable()
      .defaultTo(0)
      .comment('How many of the units that it asked for were for later calls');
    t.double('leased_until')
      .notNullable()
      .defaultTo(0)
      .comment('Limiter seconds until which a process may give units back');
  });
}
