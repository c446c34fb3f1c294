import type { Knex } from 'knex';

/** Bytes of a piece, and of the longest part of a result that is read as a whole. */
const PIECE = 262_144;

const PARTS = ['trades', 'klines', 'equity', 'positions', 'contributions'];

/**
 * Long parts of results are stored in pieces too, so that an API process passes them on without ever holding one as a whole. The
 * texts stay for processes of the version before. Like results, pieces are unlogged.
 *
 * Long answers of calls with an idempotency key are kept in pieces alone.
 */
export async function up(knex: Knex): Promise<void> {
  const isLong = PARTS.map((part) => `octet_length(new.${part}) > ${PIECE}`).join(' or ');
  await knex.raw(`
    create unlogged table result_pieces (
      fingerprint bytea not null,
      part text not null check (part in (${PARTS.map((part) => `'${part}'`).join(', ')})),
      seq integer not null,
      bytes bytea not null,
      primary key (fingerprint, part, seq)
    );
    comment on column result_pieces.seq is 'From 0; each piece but the last has ${PIECE} bytes';

    create function split_result() returns trigger language plpgsql as $$
    declare
      long record;
      content bytea;
    begin
      for long in
        select * from (values ${PARTS.map((part) => `('${part}', new.${part})`).join(', ')}) p (part, json)
        where octet_length(json) > ${PIECE}
      loop
        content := convert_to(long.json, 'UTF8');
        insert into result_pieces (fingerprint, part, seq, bytes)
        select new.fingerprint, long.part, seq, substr(content, 1 + seq * ${PIECE}, ${PIECE})
        from generate_series(0, (octet_length(content) - 1) / ${PIECE}) seq
        on conflict (fingerprint, part, seq) do update set bytes = excluded.bytes;
      end loop;
      return null;
    end $$;
    create trigger result_stored after insert on backtest_results
      for each row when (${isLong}) execute function split_result();

    create table idempotency_pieces (
      user_id bigint not null references users on delete cascade,
      claim uuid not null,
      seq integer not null,
      bytes bytea not null,
      primary key (claim, seq)
    );
    alter table idempotency_pieces alter column bytes set storage external;
    create index idempotency_pieces_user on idempotency_pieces (user_id);
    comment on column idempotency_pieces.bytes is 'Compressed by gzip';

    alter table idempotency_answers add column body_pieces integer check (body_pieces > 0),
      drop constraint idempotency_answers_answered_in_full,
      add constraint idempotency_answers_answered_in_full check (
        (status is null) = (headers is null) and (status is null) = (num_nonnulls(body, body_pieces) = 0)
        and num_nonnulls(body, body_pieces) < 2);
    comment on column idempotency_answers.body_pieces is 'How many pieces a long answer has, whose body is null';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from idempotency_answers where body_pieces is not null;
    alter table idempotency_answers drop column body_pieces,
      add constraint idempotency_answers_answered_in_full check (
        (status is null) = (body is null) and (status is null) = (headers is null));
    drop table idempotency_pieces;
    drop trigger result_stored on backtest_results;
    drop function split_result;
    drop table result_pieces;
  `);
}
