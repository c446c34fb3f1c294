import type { Knex } from 'knex';

/**
 * The specification of a run stands in `spec`; an order is only what a trader places. Processes of version 0.1.0 read and write
 * it as "order", and may run beside newer ones during an upgrade. So that column stays for one version, and a trigger gives
 * whichever of the two a process did not write the value of the other.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table backtest_runs rename column "order" to spec;
    alter table backtest_runs add column "order" json;
    comment on column backtest_runs."order" is 'spec, under its name in version 0.1.0; the next version drops it';
    update backtest_runs set "order" = spec where status in ('queued', 'running');

    create function copy_run_spec() returns trigger language plpgsql as $$
    begin
      new.spec := coalesce(new.spec, new."order");
      new."order" := coalesce(new."order", new.spec);
      return new;
    end $$;
    create trigger run_spec_copied before insert on backtest_runs for each row execute function copy_run_spec();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function copy_run_spec() cascade;
    alter table backtest_runs drop column "order";
    alter table backtest_runs rename column spec to "order";
  `);
}
