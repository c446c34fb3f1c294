import type { Knex } from 'knex';

/**
 * Writes access records for less.
 *
 * A row of `access_records` holds a request and the earlier ones of its batch that differ from it in their times only;
 * `access_calls` has a row for each request.
 *
 * The batch that writes records locks their accounts, so a foreign key that looks each of them up again adds nothing but time.
 * The records of a deleted account go by a trigger.
 *
 * The trigger on `api_keys` does not run for a change of `last_used_at`. Its function had done nothing then, after it had made
 * JSON of the row twice.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table access_records
      add column earlier_ms_ago integer[],
      add column earlier_duration_ms real[],
      add constraint access_records_earlier_is_whole
        check (cardinality(earlier_ms_ago) is not distinct from cardinality(earlier_duration_ms)) not valid,
      drop constraint access_records_user_id_fkey;
    comment on column access_records.earlier_ms_ago is 'Earlier requests of this row, newest first: milliseconds before "at"';

    create view access_calls as
      select r.id, r.at - c.ms_ago * interval '1 millisecond' as at, r.visitor, r.user_id, r.client_kind, r.method, r.path,
        r.is_page, r.referrer, r.status, c.duration_ms, r.country
      from access_records r cross join lateral
        unnest(0 || r.earlier_ms_ago, r.duration_ms || r.earlier_duration_ms) c (ms_ago, duration_ms);

    create index access_records_user_at on access_records (user_id, at desc, id desc) where user_id is not null;
    drop index access_records_user;

    create function delete_access_records() returns trigger language plpgsql as $$
    begin
      delete from access_records where user_id in (select id from deleted);
      return null;
    end $$;
    create trigger access_records_deleted after delete on users referencing old table as deleted
      for each statement execute function delete_access_records();

    drop trigger api_keys_changed on api_keys;
    create trigger api_keys_changed
      after delete or update of id, user_id, name, key_hash, prefix, enabled, created_at, slot, disabled_by_restore
      on api_keys
      for each row execute function notify_callers_changed('user_id');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger api_keys_changed on api_keys;
    create trigger api_keys_changed after update or delete on api_keys
      for each row execute function notify_callers_changed('user_id');
    drop function delete_access_records() cascade;
    insert into access_records
        (at, visitor, user_id, client_kind, method, path, is_page, referrer, status, duration_ms, country)
      select r.at - c.ms_ago * interval '1 millisecond', r.visitor, r.user_id, r.client_kind, r.method, r.path, r.is_page,
        r.referrer, r.status, c.duration_ms, r.country
      from access_records r cross join lateral unnest(r.earlier_ms_ago, r.earlier_duration_ms) c (ms_ago, duration_ms);
    drop view access_calls;
    alter table access_records drop column earlier_ms_ago, drop column earlier_duration_ms,
      add foreign key (user_id) references users on delete cascade;
    create index access_records_user on access_records (user_id, id desc) where user_id is not null;
    drop index access_records_user_at;
  `);
}
