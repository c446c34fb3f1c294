import { belongsTo, type TableDefinition } from './table.ts';

/** Addresses that accounts want events posted to, and the deliveries of these events, which triggers insert. */
export const WEBHOOK_TABLES: Record<string, TableDefinition> = {
  webhooks: (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'webhooks_user_id_fkey');
    t.text('url').notNullable();
    t.specificType('events', 'text[]').notNullable();
    t.text('secret').notNullable().comment('Signs deliveries; base64');
    t.boolean('is_enabled').notNullable().defaultTo(true);
    t.timestamp('created_at').notNullable();
    t.check('length(url) between 1 and 2000');
    t.check('cardinality(events) > 0');
    t.unique(['user_id', 'url'], { indexName: 'webhooks_user_id_url_key' });
  },

  webhook_deliveries: (t, knex) => {
    t.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'));
    belongsTo(t.bigInteger('webhook_id').notNullable(), 'webhooks.id', 'webhook_deliveries_webhook_id_fkey');
    t.text('event').notNullable();
    t.json('data').notNullable();
    t.text('status').notNullable().defaultTo('pending').checkIn(['pending', 'delivered', 'failed']);
    t.integer('attempts').notNullable().defaultTo(0);
    t.json('answers').notNullable().defaultTo('[]').comment('Of all attempts, the newest last');
    t.timestamp('created_at').notNullable();
    t.timestamp('due_at').defaultTo('-infinity').comment('Of the next attempt; -infinity: at once; null: none follows');
    t.check("(status = 'pending') = (due_at is not null)", {}, 'webhook_deliveries_due');
    t.index(['webhook_id', knex.raw('created_at desc'), 'id'], 'webhook_deliveries_webhook');
    t.index(['due_at'], 'webhook_deliveries_due', { predicate: knex.whereNotNull('due_at') });
    t.index(['created_at'], 'webhook_deliveries_created');
  },
};
