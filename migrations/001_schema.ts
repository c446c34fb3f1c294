import { readdirSync, readFileSync } from 'node:fs';
import type { Knex } from 'knex';
import { ACCOUNT_TABLES } from './baseline/accounts.ts';
import { BACK_OFFICE_TABLES } from './baseline/back-office.ts';
import { LAKE_TABLES } from './baseline/lake.ts';
import { MARKET_TABLES } from './baseline/market.ts';
import { QUEUE_TABLES } from './baseline/queue.ts';
import { RESEARCH_TABLES } from './baseline/research.ts';
import { RUN_TABLES } from './baseline/runs.ts';
import { SWEEP_TABLES } from './baseline/sweeps.ts';
import { WEBHOOK_TABLES } from './baseline/webhooks.ts';

/** Each table after those that it refers to. */
const TABLES = {
  ...ACCOUNT_TABLES,
  ...MARKET_TABLES,
  ...LAKE_TABLES,
  ...QUEUE_TABLES,
  ...BACK_OFFICE_TABLES,
  ...RUN_TABLES,
  ...SWEEP_TABLES,
  ...RESEARCH_TABLES,
  ...WEBHOOK_TABLES,
};

const FOLDER = new URL('./baseline/', import.meta.url);

/** The whole schema. */
export async function up(knex: Knex): Promise<void> {
  for (const [name, define] of Object.entries(TABLES)) {
    await knex.schema.createTable(name, (table) => define(table, knex));
  }
  for (const file of ['storage.sql', 'indexes.sql', 'rows.sql']) await runFile(knex, new URL(file, FOLDER));
  for (const folder of ['views/', 'functions/', 'triggers/']) {
    const parent = new URL(folder, FOLDER);
    for (const name of readdirSync(parent).sort()) await runFile(knex, new URL(name, parent));
  }
}

const runFile = (knex: Knex, file: URL) => knex.raw(readFileSync(file, 'utf8'));

/** Knex requires it; db/migrate.ts refuses a rollback before it is called. */
export async function down(): Promise<void> {
  throw new Error('The first migration cannot be rolled back');
}
