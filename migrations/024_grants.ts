import type { Knex } from 'knex';
import { belongsTo } from './baseline/table.ts';

const TRIGGER = 'api_keys_changed';

function notify(knex: Knex, columns: string): Promise<void> {
  return knex.raw(
    `create or replace trigger ${TRIGGER} after delete or update of ${columns} on api_keys
       for each row execute function notify_callers_changed('user_id')`,
  );
}

const COLUMNS = 'id, user_id, name, key_hash, prefix, enabled, created_at, slot, disabled_by_restore';

/** Keys have scopes, an end, and a budget of trials. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('api_keys', (t) => {
    t.specificType('scopes', 'text[]').notNullable().defaultTo('{read,research,account}');
    t.timestamp('expires_at').comment('Null: never');
    t.integer('trial_limit').notNullable().defaultTo(1_000).comment('Trials that assistants may make with the key');
    t.check(`scopes <@ '{read,research,account}' and cardinality(scopes) > 0`, [], 'api_keys_scopes_check');
    t.check('trial_limit >= 0', [], 'api_keys_trial_limit_check');
  });
  await notify(knex, `${COLUMNS}, scopes, expires_at, trial_limit`);
  await knex.schema.createTable('key_trials', (t) => {
    belongsTo(t.bigInteger('api_key_id').notNullable(), 'api_keys.id', 'key_trials_api_key_id_fkey');
    t.binary('spec').notNullable();
    t.integer('trials').notNullable();
    t.primary(['api_key_id', 'spec']);
    t.comment('The specifications that assistants have run with a key, and the combinations of each');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('key_trials');
  await notify(knex, COLUMNS);
  await knex.schema.alterTable('api_keys', (t) => {
    t.dropChecks(['api_keys_scopes_check', 'api_keys_trial_limit_check']);
    t.dropColumns('scopes', 'expires_at', 'trial_limit');
  });
}
