import type { Knex } from 'knex';

const TABLE = 'sweeps';
const CHECK = 'sweeps_kind_check';

/** Factor studies are computed in chunks like sweeps, by the same turns. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable(TABLE, (t) => {
    t.text('kind').notNullable().defaultTo('sweep').comment('What its chunks compute: cells of backtests, or factors');
    t.check("kind in ('sweep', 'factors')", [], CHECK);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex(TABLE).where({ kind: 'factors' }).delete();
  await knex.schema.alterTable(TABLE, (t) => {
    t.dropChecks(CHECK);
    t.dropColumns('kind');
  });
}
