import type { Knex } from 'knex';
import { belongsTo } from './baseline/table.ts';

const EVENTS = ['job.progress', 'run.ended', 'data.loaded', 'signals.ready', 'run.revised', 'limit.near'];

/** Adds an event in the transaction that makes it true. An event without an owner is of everybody. */
const TELL_ACCOUNT = `create function tell_account(owner bigint, told text, at timestamptz, told_data json) returns void
  language sql as $$
  insert into account_events (user_id, event, created_at, data) values (owner, told, at, told_data)
$$`;

const TELL_WEBHOOKS = `create or replace function tell_webhooks(owner bigint, told text, at timestamptz, told_data json)
  returns void language sql as $$
  select tell_account(owner, told, at, told_data) where told in ('data.loaded', 'signals.ready', 'run.revised');
  insert into webhook_deliveries (webhook_id, event, data, created_at)
  select id, told, told_data, at from webhooks
  where is_enabled and told = any (events) and (owner is null or user_id = owner)
$$`;

const FORMER_TELL_WEBHOOKS = `create or replace function tell_webhooks(owner bigint, told text, at timestamptz, told_data json)
  returns void language sql as $$
  insert into webhook_deliveries (webhook_id, event, data, created_at)
  select id, told, told_data, at from webhooks
  where is_enabled and told = any (events) and (owner is null or user_id = owner)
$$`;

/** A run that begins at once tells only its end: most end within milliseconds. */
const TELL_RUN = `create function tell_run() returns trigger language plpgsql as $$
begin
  if new.finished_at is null then
    perform tell_account(new.user_id, 'job.progress', now(), json_build_object('job_id', new.id, 'kind', new.kind,
      'status', new.status, 'progress_pct', floor(new.progress_pct)));
  elsif old.finished_at is null then
    perform tell_account(new.user_id, 'run.ended', new.finished_at, json_build_object('job_id', new.id, 'kind', new.kind,
      'status', new.status, 'id', new.backtest_id, 'error', 'error.' || new.error_code));
  end if;
  return null;
end $$`;

const RUN_TOLD_TO_ACCOUNT = `create trigger run_told_to_account after update of status, progress_pct on runs
  for each row when (new.user_id is not null and (
    (old.finished_at is null) <> (new.finished_at is null)
    or (new.finished_at is null and floor(new.progress_pct) > floor(old.progress_pct))
    or (old.status = 'queued' and new.status = 'running' and new.started_at > new.created_at + interval '1 second')))
  execute function tell_run()`;

const TELL_SWEEP = `create function tell_sweep() returns trigger language plpgsql as $$
begin
  if new.finished_at is null then
    perform tell_account(new.user_id, 'job.progress', now(), json_build_object('job_id', new.id, 'kind', new.kind,
      'status', new.status, 'progress_pct', floor(100.0 * new.cells_done / new.cells)));
  elsif old.finished_at is null then
    perform tell_account(new.user_id, 'run.ended', new.finished_at, json_build_object('job_id', new.id, 'kind', new.kind,
      'status', new.status, 'id', null, 'error', 'error.' || new.error_code));
  end if;
  return null;
end $$`;

const SWEEP_TOLD_TO_ACCOUNT = `create trigger sweep_told_to_account after update of status, cells_done on sweeps
  for each row when (old.status <> new.status or floor(100.0 * new.cells_done / new.cells) > floor(100.0 * old.cells_done / old.cells))
  execute function tell_sweep()`;

const NOTIFY_EVENTS = `create function notify_account_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('account_events', '');
  return null;
end $$`;

const EVENTS_NOTIFIED = `create trigger account_events_added after insert on account_events
  for each statement execute function notify_account_events()`;

/** Numbers the committed events: whoever has read a number has read every lower one. Returns the last number. */
const NUMBER_EVENTS = `create function number_account_events() returns bigint language plpgsql as $$
declare
  last bigint;
  count bigint;
begin
  perform pg_advisory_xact_lock(7305, 0);
  select case when is_called then last_value else 0 end into last from account_event_seq;
  with fresh as (select id, row_number() over (order by id) as nth from account_events where seq is null)
  update account_events e set seq = last + fresh.nth from fresh where e.id = fresh.id;
  get diagnostics count = row_count;
  if count > 0 then
    perform setval('account_event_seq', last + count);
  end if;
  return last + count;
end $$`;

/** Events of accounts, which are kept for a day, and the requests of deliveries. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('account_events', (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    t.bigInteger('seq').comment('Its place in the order of commits; null: it has none yet');
    belongsTo(t.bigInteger('user_id').comment('Null: of everybody'), 'users.id', 'account_events_user_id_fkey');
    t.text('event').notNullable().checkIn(EVENTS);
    t.json('data').notNullable();
    t.timestamp('created_at').notNullable();
    t.unique(['seq'], { indexName: 'account_events_seq' });
    t.index(['user_id', 'seq'], 'account_events_user');
    t.index(['created_at'], 'account_events_created');
    t.index(['id'], 'account_events_new', { predicate: knex.whereNull('seq') });
  });
  await knex.raw('create sequence account_event_seq owned by account_events.seq');
  for (const sql of [TELL_ACCOUNT, TELL_WEBHOOKS, TELL_RUN, TELL_SWEEP, NOTIFY_EVENTS, NUMBER_EVENTS])
    await knex.raw(sql);
  for (const sql of [RUN_TOLD_TO_ACCOUNT, SWEEP_TOLD_TO_ACCOUNT, EVENTS_NOTIFIED]) await knex.raw(sql);
  await knex.schema.alterTable('webhook_deliveries', (t) => {
    t.json('sent').comment('The headers and the body of the newest attempt; null: there was none');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('webhook_deliveries', (t) => t.dropColumn('sent'));
  await knex.raw('drop trigger run_told_to_account on runs; drop trigger sweep_told_to_account on sweeps');
  await knex.raw(FORMER_TELL_WEBHOOKS);
  await knex.schema.dropTable('account_events');
  await knex.raw('drop function tell_account, tell_run, tell_sweep, notify_account_events, number_account_events');
}
