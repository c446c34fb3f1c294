import type { Knex } from 'knex';

/** Table → its column with the person who did something. */
const ACTORS = {
  sync_jobs: 'requested_by',
  paused_queues: 'paused_by',
  comparisons: 'requested_by',
  session_checks: 'released_by',
} as const;

/** Records name an administrator by the id of the account, so that the e-mail address does not outlive it. */
export async function up(knex: Knex): Promise<void> {
  for (const [table, column] of Object.entries(ACTORS)) {
    const id = `${column}_id`;
    await knex.schema.alterTable(table, (t) => {
      t.bigInteger(id).comment('The account; null: a program or operator, or the account was deleted');
      t.foreign(id, `${table}_${id}_fkey`).references('users.id').onDelete('SET NULL');
      t.index([id], `${table}_${column}`, { predicate: knex.whereNotNull(id) });
    });
    await knex.raw('update ?? t set ?? = u.id from users u where u.email = t.??', [table, id, column]);
    await knex(table).whereNotNull(id).orWhere(column, 'like', '%@%').update(column, 'deleted account');
  }
  // Texts that name who canceled, and what receivers of webhooks said.
  for (const table of ['sync_jobs', 'exports']) {
    await knex(table).where('error', 'like', 'cancelled by %@%').update('error', 'cancelled by an administrator');
  }
  await knex.raw(
    `update webhook_deliveries d set answers = (
       select json_agg(a.value::jsonb - 'body' order by a.n) from json_array_elements(d.answers) with ordinality a (value, n))
     where json_array_length(d.answers) > 0`,
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const [table, column] of Object.entries(ACTORS)) {
    const id = `${column}_id`;
    await knex.raw('update ?? t set ?? = u.email from users u where u.id = t.??', [table, column, id]);
    await knex.schema.alterTable(table, (t) => t.dropColumn(id));
  }
}
