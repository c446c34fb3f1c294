import type { Knex } from 'knex';
import { actorId } from './baseline/table.ts';

/** Doubts about loaded bars and events, and what administrators decided about them. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('data_findings', (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    t.integer('instrument_id').notNullable();
    t.foreign('instrument_id', 'data_findings_instrument_id_fkey').references('instruments.id').onDelete('CASCADE');
    t.text('kind').notNullable();
    t.date('day').notNullable();
    t.text('event_key').notNullable().comment('Of the event that prices contradict; else empty');
    t.jsonb('details').notNullable();
    t.boolean('is_found').notNullable().defaultTo(true).comment('Whether the last check has found it');
    t.text('status').notNullable().defaultTo('open');
    t.jsonb('event').comment('The event that an administrator has written instead; null: there is none');
    t.timestamp('found_at').notNullable();
    t.timestamp('decided_at');
    t.text('decided_by');
    actorId(t, knex, 'data_findings', 'decided_by');
    t.unique(['instrument_id', 'kind', 'day', 'event_key'], { indexName: 'data_findings_key' });
    t.check("kind in ('contradicted', 'split_suspected', 'hole')", [], 'data_findings_kind_check');
    t.check("status in ('open', 'confirmed', 'ignored', 'mended')", [], 'data_findings_status_check');
    t.check("event is null or status = 'mended'", [], 'data_findings_event_check');
    t.check("(status = 'open') = (decided_at is null)", [], 'data_findings_decided_check');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('data_findings');
}
