import type { Knex } from 'knex';

/** Everything that an account computes, so that a result can be told as one of so many. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('account_runs', (t) => {
    t.bigInteger('user_id').notNullable();
    t.foreign('user_id', 'account_runs_user_id_fkey').references('users.id').onDelete('CASCADE');
    t.binary('spec')
      .notNullable()
      .comment('16 bytes of the digest of the specification without the version of the engine');
    t.integer('runs').notNullable().comment('Combinations of a search, cells of a sweep, 1 otherwise');
    t.integer('measured').notNullable().comment('Those of them that earned or lost something beyond the market');
    t.double('sum').notNullable().comment('Of their appraisal ratios per bar × √bars');
    t.double('squares').notNullable();
    t.timestamp('at').notNullable().defaultTo(knex.fn.now());
    t.primary(['user_id', 'spec']);
    t.comment('Runs by account. Deleting a run does not lower their number');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('account_runs');
}
