import type { Knex } from 'knex';

/**
 * A snapshot is two objects: bars, and the means that are carried over from before them. Those that were made before have
 * no means; format 1 says so, also for rows that a process of the version before still adds.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table snapshots
      add column format smallint not null default 1,
      add column means_key text unique,
      add column means_checksum_sha256 text,
      add column means_bytes bigint,
      add constraint snapshots_means check
        ((format = 1) = (means_key is null)
          and (means_key is null) = (means_checksum_sha256 is null)
          and (means_key is null) = (means_bytes is null));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from snapshots where format > 1;
    alter table snapshots
      drop constraint snapshots_means,
      drop column format,
      drop column means_key,
      drop column means_checksum_sha256,
      drop column means_bytes;
  `);
}
