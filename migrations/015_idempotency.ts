import type { Knex } from 'knex';

/** Answers of calls with an idempotency key, kept for a day and given again. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table idempotency_answers (
      user_id bigint not null references users on delete cascade,
      call_hash bytea not null check (octet_length(call_hash) = 32),
      body_hash bytea not null check (octet_length(body_hash) = 32),
      claim uuid not null,
      created_at timestamptz not null,
      held_until timestamptz,
      status smallint check (status between 200 and 299),
      headers jsonb,
      file jsonb,
      body bytea,
      primary key (user_id, call_hash),
      constraint idempotency_answers_held_until_answered check ((status is null) = (held_until is not null)),
      constraint idempotency_answers_answered_in_full check ((status is null) = (body is null) and (status is null) = (headers is null))
    );
    create index idempotency_answers_created on idempotency_answers (created_at);
    create unique index idempotency_answers_claim on idempotency_answers (claim);
    alter table idempotency_answers alter column body set storage external;

    comment on column idempotency_answers.call_hash is 'SHA-256 of method, path and key';
    comment on column idempotency_answers.body_hash is 'SHA-256 of the body with its keys in order';
    comment on column idempotency_answers.held_until is 'While the first call is under way: renewed by its process, by the clock of the database';
    comment on column idempotency_answers.file is 'Name and content type of a file; null: an envelope';
    comment on column idempotency_answers.body is 'Compressed by gzip';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table idempotency_answers');
}
