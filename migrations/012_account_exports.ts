import type { Knex } from 'knex';

const TABLE = 'exports';

/** Exports hold bars of the market, or what an account has kept, which has no newest day. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable(TABLE, (t) => {
    t.text('content').notNullable().defaultTo('market');
    t.check("content in ('market', 'account')", [], 'exports_content_check');
    t.setNullable('through');
    t.check("(content = 'market') = (through is not null)", [], 'exports_market_has_day');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex(TABLE).where({ content: 'account' }).delete();
  await knex.schema.alterTable(TABLE, (t) => {
    t.dropChecks(['exports_market_has_day', 'exports_content_check']);
    t.dropColumn('content');
    t.dropNullable('through');
  });
}
