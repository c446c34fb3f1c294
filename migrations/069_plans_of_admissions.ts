import type { Knex } from 'knex';

const ADMISSIONS = [
  'admit_run(uuid, text, text, bigint, boolean, integer, json, text, timestamptz, integer, json, boolean)',
  'admit_runs(json, boolean)',
];

/**
 * The statements of an admission keep one plan for all values. The server compared the costs of plans for the values at hand with those of
 * the kept one, took the former for cheaper beside some thousand runs, and so planned each admission anew, which costs more than to run it.
 */
export async function up(knex: Knex): Promise<void> {
  for (const admission of ADMISSIONS) {
    await knex.raw(`alter function ${admission} set plan_cache_mode = force_generic_plan`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const admission of ADMISSIONS) await knex.raw(`alter function ${admission} reset plan_cache_mode`);
}
