import type { Knex } from 'knex';

/**
 * The limiter adds up the calls of past buckets only when a new one has begun. As a sub-select in its statement, the sum
 * was prepared for execution three times a call, needed or not.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function calls_within(counts integer[], buckets integer) returns integer language sql immutable parallel safe
      return (select coalesce(sum(calls), 0)::integer from unnest(counts[1:buckets]) calls);
    comment on function calls_within is 'Calls in the newest buckets of a window of rate_limits';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function calls_within');
}
