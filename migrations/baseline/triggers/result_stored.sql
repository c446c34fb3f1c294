create trigger result_stored after insert on backtest_results
  for each row when (octet_length(new.trades) > 262144 or octet_length(new.klines) > 262144 or octet_length(new.equity) > 262144
    or octet_length(new.positions) > 262144 or octet_length(new.contributions) > 262144
    or octet_length(new.rebalances) > 262144)
  execute function split_result();
