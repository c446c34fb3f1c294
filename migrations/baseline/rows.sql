insert into data_versions (scope) values ('symbols'), ('adjustments'), ('bars'), ('provider');
insert into limiter_clock (seconds) values (extract(epoch from clock_timestamp()));
