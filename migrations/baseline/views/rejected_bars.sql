create view rejected_bars as select * from rejected_rows where basis is not null;
