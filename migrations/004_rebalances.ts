/** Results of rotations have a long part more: what was decided at each rebalance. */
import type { Knex } from 'knex';

const PARTS = ['trades', 'klines', 'equity', 'positions', 'contributions'];
const MORE_PARTS = [...PARTS, 'rebalances'];

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('backtest_results', (table) => {
    table.text('rebalances');
  });
  await allowParts(knex, MORE_PARTS);
  await splitParts(knex, MORE_PARTS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from result_pieces where part = 'rebalances'`);
  await splitParts(knex, PARTS);
  await allowParts(knex, PARTS);
  await knex.schema.alterTable('backtest_results', (table) => {
    table.dropColumn('rebalances');
  });
}

const quoted = (parts: readonly string[]) => parts.map((part) => `'${part}'`).join(', ');

async function allowParts(knex: Knex, parts: readonly string[]): Promise<void> {
  const { rows } = await knex.raw<{ rows: { conname: string }[] }>(
    `select conname from pg_constraint where conrelid = 'result_pieces'::regclass and contype = 'c'`,
  );
  for (const { conname } of rows) await knex.raw(`alter table result_pieces drop constraint ??`, [conname]);
  await knex.raw(
    `alter table result_pieces add constraint result_pieces_part_check check (part in (${quoted(parts)}))`,
  );
}

/** Stores the long parts of a result in pieces. */
async function splitParts(knex: Knex, parts: readonly string[]): Promise<void> {
  await knex.raw(`
    create or replace function split_result() returns trigger language plpgsql as $$
    declare
      long record;
      content bytea;
    begin
      for long in
        select * from (values ${parts.map((part) => `('${part}', new.${part})`).join(', ')}) p (part, json)
        where octet_length(json) > 262144
      loop
        content := convert_to(long.json, 'UTF8');
        insert into result_pieces (fingerprint, part, seq, bytes)
        select new.fingerprint, long.part, seq, substr(content, 1 + seq * 262144, 262144)
        from generate_series(0, (octet_length(content) - 1) / 262144) seq
        on conflict (fingerprint, part, seq) do update set bytes = excluded.bytes;
      end loop;
      return null;
    end $$`);
  await knex.raw('drop trigger result_stored on backtest_results');
  await knex.raw(`
    create trigger result_stored after insert on backtest_results
      for each row when (${parts.map((part) => `octet_length(new.${part}) > 262144`).join(' or ')})
      execute function split_result()`);
}
