import type { Knex } from 'knex';

/**
 * The limiter's time is read in the database and no longer brought along by each process. Keys get the slots that their
 * counters belong to, sessions remember how they began, and refused actions beyond the first of a minute are added up
 * before they reach the audit log. Processes of the version before go on: their keys have no slot, their sessions began
 * with a code, and they move `seconds` alone.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(CLOCK);
  await knex.raw(SLOTS);
  await knex.raw(SESSIONS);
  await knex.raw(REFUSALS);
}

const CLOCK = `
  alter table limiter_clock
    add column anchor double precision not null default 0,
    add column anchor_at double precision not null default 0;
  update limiter_clock set anchor = seconds;
  comment on column limiter_clock.seconds is 'How far a process last said that the time was';
  comment on column limiter_clock.anchor is 'Time of the limiter at the moment anchor_at';
  comment on column limiter_clock.anchor_at is 'Unix time of the database, believed for two seconds at most';
`;

const SLOTS = `
  alter table api_keys add column slot smallint check (slot > 0);
  update api_keys k set slot = numbered.slot from (
    select id, row_number() over (partition by user_id order by id) as slot from api_keys) numbered
    where numbered.id = k.id;
  drop index api_keys_user;
  create unique index api_keys_slot on api_keys (user_id, slot);
  comment on column api_keys.slot is 'Whose counters the key uses, from 1; free again when it is deleted. Null: those of the last slot';
`;

/** Of older sessions nobody knows: they count as begun with a code, and some administrators log in again. */
const SESSIONS = `
  alter table sessions add column login_method text not null default 'code' check (login_method in ('code', 'password'));
`;

/** Without a reference to the account: what it tried must outlive it, as in the audit log. */
const REFUSALS = `
  create table audit_refusals (
    actor_id bigint not null,
    action text not null,
    actor_email text,
    calls integer not null check (calls > 0),
    first_at timestamptz not null,
    last_at timestamptz not null,
    primary key (actor_id, action)
  );
`;

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table audit_refusals;
    alter table sessions drop column login_method;
    create index api_keys_user on api_keys (user_id);
    alter table api_keys drop column slot;
    alter table limiter_clock drop column anchor, drop column anchor_at;
  `);
}
