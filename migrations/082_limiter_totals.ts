import type { Knex } from 'knex';

/**
 * Running totals per bucket instead of counts, so that the calls of a window are one difference and not a sum of sixty numbers.
 * `counts` and `used` stay for processes of the version before, which know no totals: until the last of them has ended, each version
 * counts its own calls.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table rate_limits
      add column totals bigint[] not null default '{0}',
      add column granted integer not null default 0,
      add column leased integer not null default 0,
      add column leased_until double precision not null default 0,
      alter column counts set default '{}',
      alter column used set default 0;
    update rate_limits r set totals = array(
      select (sum(calls) over (order by n desc))::bigint from unnest(r.counts) with ordinality t (calls, n) order by n);
    comment on column rate_limits.totals is
      'Units granted until the end of each bucket, the newest first; from the 63rd on they have left the window';
    comment on column rate_limits.granted is 'Units of the last statement that took some';
    comment on column rate_limits.leased is 'How many of the units that it asked for were for later calls';
    comment on column rate_limits.leased_until is 'Limiter seconds until which a process may give units back';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table rate_limits
      drop column totals,
      drop column granted,
      drop column leased,
      drop column leased_until,
      alter column counts drop default,
      alter column used drop default;
  `);
}
