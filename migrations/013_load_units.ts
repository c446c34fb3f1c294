import type { Knex } from 'knex';

/** Rejected rows by reason, units that a load could not take, and an index for loads that run now. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sync_jobs add column rows_rejected_by_reason jsonb not null default '{}';
    alter table sync_units add column rows_rejected_by_reason jsonb not null default '{}', add column error text;
    alter table rejected_rows add column unit text;
    create or replace view rejected_bars as select * from rejected_rows where basis is not null;
    create index sync_jobs_running on sync_jobs (job_type) where status = 'running';

    comment on column sync_units.error is 'Why the unit was not loaded; null: it was';
    comment on column rejected_rows.unit is 'The unit of the load that the row came from; null for lists';
  `);
  // Of older loads, the rows that were kept are what is known.
  await knex.raw(`
    update sync_jobs j set rows_rejected_by_reason = counted.by_reason
    from (select sync_job_id, jsonb_object_agg(reason, n) as by_reason
          from (select sync_job_id, reason, count(*) as n from rejected_rows group by 1, 2) r group by 1) counted
    where counted.sync_job_id = j.id;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index sync_jobs_running;
    drop view rejected_bars;
    alter table rejected_rows drop column unit;
    create view rejected_bars as select * from rejected_rows where basis is not null;
    alter table sync_units drop column error, drop column rows_rejected_by_reason;
    alter table sync_jobs drop column rows_rejected_by_reason;
  `);
}
