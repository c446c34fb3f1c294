import type { Knex } from 'knex';
import * as baseline from './001_baseline.ts';
import * as marketOverviews from './002_market_overviews.ts';
import * as tearSheets from './003_tear_sheets.ts';
import * as rebalances from './004_rebalances.ts';
import * as drawings from './005_drawings.ts';
import * as watchedRotations from './006_watched_rotations.ts';
import * as lakeTables from './007_lake_tables.ts';
import * as articleCovers from './008_article_covers.ts';
import * as rotationChunks from './009_rotation_chunks.ts';
import * as actorsById from './012_actors_by_id.ts';

interface ListedMigration {
  readonly name: string;
  readonly migration: Knex.Migration;
}

/** All migrations, oldest first. A file of this folder that is not listed here does not run. */
export const MIGRATIONS: readonly ListedMigration[] = [
  { name: '001_baseline', migration: baseline },
  { name: '002_market_overviews', migration: marketOverviews },
  { name: '003_tear_sheets', migration: tearSheets },
  { name: '004_rebalances', migration: rebalances },
  { name: '005_drawings', migration: drawings },
  { name: '006_watched_rotations', migration: watchedRotations },
  { name: '007_lake_tables', migration: lakeTables },
  { name: '008_article_covers', migration: articleCovers },
  { name: '009_rotation_chunks', migration: rotationChunks },
  { name: '012_actors_by_id', migration: actorsById },
];

export const migrationSource: Knex.MigrationSource<ListedMigration> = {
  getMigrations: async () => [...MIGRATIONS],
  getMigrationName: (listed) => listed.name,
  getMigration: async (listed) => listed.migration,
};
