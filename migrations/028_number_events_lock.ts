import type { Knex } from 'knex';

const numberEvents = (
  lock: number,
) => `create or replace function number_account_events() returns bigint language plpgsql as $$
declare
  last bigint;
  count bigint;
begin
  perform pg_advisory_xact_lock(${lock}, 0);
  select case when is_called then last_value else 0 end into last from account_event_seq;
  with fresh as (select id, row_number() over (order by id) as nth from account_events where seq is null)
  update account_events e set seq = last + fresh.nth from fresh where e.id = fresh.id;
  get diagnostics count = row_count;
  if count > 0 then
    perform setval('account_event_seq', last + count);
  end if;
  return last + count;
end $$`;

/** Numbers events under a lock of their own: with that of the keeping of runs, each waited for the other. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(numberEvents(7311));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(numberEvents(7305));
}
