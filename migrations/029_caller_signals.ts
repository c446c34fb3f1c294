import type { Knex } from 'knex';

/**
 * Tell every API process whose account, API keys, or login sessions have changed, so that none believes a credential any
 * longer that has lost its rights. The moment at which a key was last used changes no rights.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function notify_callers_changed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' or to_jsonb(old) - 'last_used_at' <> to_jsonb(new) - 'last_used_at' then
        perform pg_notify('callers_changed', to_jsonb(old) ->> tg_argv[0]);
      end if;
      return null;
    end $$;
    create trigger users_changed after update or delete on users
      for each row execute function notify_callers_changed('id');
    create trigger api_keys_changed after update or delete on api_keys
      for each row execute function notify_callers_changed('user_id');
    create trigger sessions_changed after update or delete on sessions
      for each row execute function notify_callers_changed('user_id');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function notify_callers_changed() cascade');
}
