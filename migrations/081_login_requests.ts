import type { Knex } from 'knex';

/**
 * Requests for login codes, of which an e-mail address may have several: a code belongs to the request that made it. `login_codes`
 * stays for processes of the version before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table login_requests (
      id bigint generated always as identity primary key,
      email text not null,
      challenge_hash bytea not null unique check (octet_length(challenge_hash) = 32),
      address text not null,
      is_known boolean not null,
      locale text not null,
      code_hash bytea,
      tries smallint not null default 0,
      created_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index login_requests_email on login_requests (email, id desc);
    create index login_requests_expiry on login_requests (expires_at);

    comment on column login_requests.challenge_hash is 'SHA-256 of what the answer to the request gave';
    comment on column login_requests.address is 'Keyed hash of the address that the request came from';
    comment on column login_requests.is_known is 'Whether the account had last signed in from that address';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table login_requests');
}
