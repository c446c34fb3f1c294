import type { Knex } from 'knex';
import { belongsTo } from './baseline/table.ts';

function notify(knex: Knex, columns: string): Promise<void> {
  return knex.raw(
    `create or replace trigger api_keys_changed after delete or update of ${columns} on api_keys
       for each row execute function notify_callers_changed('user_id')`,
  );
}

const COLUMNS =
  'id, user_id, name, key_hash, prefix, enabled, created_at, slot, disabled_by_restore, scopes, expires_at, trial_limit';

/** A grant of an assistant is a key without a secret of its own: its client has tokens. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('api_keys', (t) => {
    t.text('client_id').comment('The OAuth client that the grant is for; null: a key');
  });
  await notify(knex, `${COLUMNS}, client_id`);
  await knex.schema.createTable('oauth_records', (t) => {
    t.text('model').notNullable().comment('Kind of the record in the library');
    t.binary('id_hash').notNullable().comment('SHA-256 of the id, which is the secret of tokens and codes');
    belongsTo(t.bigInteger('api_key_id'), 'api_keys.id', 'oauth_records_api_key_id_fkey');
    t.jsonb('payload').notNullable();
    t.timestamp('consumed_at');
    t.timestamp('expires_at').notNullable();
    t.primary(['model', 'id_hash']);
    t.check('octet_length(id_hash) = 32');
    t.index(['api_key_id'], 'oauth_records_api_key');
    t.index(['expires_at'], 'oauth_records_expiry');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('oauth_records');
  await knex('api_keys').whereNotNull('client_id').del();
  await notify(knex, COLUMNS);
  await knex.schema.alterTable('api_keys', (t) => {
    t.dropColumn('client_id');
  });
}
