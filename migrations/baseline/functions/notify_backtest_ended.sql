create function notify_backtest_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('backtest_ended', new.id::text);
  return null;
end $$;
