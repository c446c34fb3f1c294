-- Stores the long parts of a result in pieces.
create function split_result() returns trigger language plpgsql as $$
declare
  long record;
  content bytea;
begin
  for long in
    select * from (values ('trades', new.trades), ('klines', new.klines), ('equity', new.equity),
      ('positions', new.positions), ('contributions', new.contributions),
      ('rebalances', new.rebalances)) p (part, json)
    where octet_length(json) > 262144
  loop
    content := convert_to(long.json, 'UTF8');
    insert into result_pieces (fingerprint, part, seq, bytes)
    select new.fingerprint, long.part, seq, substr(content, 1 + seq * 262144, 262144)
    from generate_series(0, (octet_length(content) - 1) / 262144) seq
    on conflict (fingerprint, part, seq) do update set bytes = excluded.bytes;
  end loop;
  return null;
end $$;
