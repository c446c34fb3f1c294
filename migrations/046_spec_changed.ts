import type { Knex } from 'knex';

/** The check of verdicts with `name` for a kept backtest whose specification is not that of its receipt. */
const check = (name: string) => `
  alter table backtests add constraint backtests_verdict_check
    check (verdict in ('reproduced', 'data_revised', 'engine_changed', 'both', '${name}', 'unexplained', 'no_receipt'));`;

/** The verdict `order_changed` becomes `spec_changed`: what defines a run is its specification. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table backtests drop constraint backtests_verdict_check;
    update backtests set verdict = 'spec_changed' where verdict = 'order_changed';
    ${check('spec_changed')}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table backtests drop constraint backtests_verdict_check;
    update backtests set verdict = 'order_changed' where verdict = 'spec_changed';
    ${check('order_changed')}`);
}
