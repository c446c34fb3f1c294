import type { Knex } from 'knex';
import * as schema from './001_schema.ts';
import * as files from './002_files.ts';
import * as accountRuns from './003_account_runs.ts';
import * as fileTickers from './004_file_tickers.ts';
import * as noRotationChunks from './005_no_rotation_chunks.ts';
import * as findings from './006_findings.ts';
import * as results from './007_results.ts';
import * as delistingReturns from './008_delisting_returns.ts';
import * as noLeases from './009_no_leases.ts';
import * as oneLake from './010_one_lake.ts';
import * as runLabels from './011_run_labels.ts';
import * as accountExports from './012_account_exports.ts';
import * as ownColumns from './013_own_columns.ts';
import * as columnRuns from './014_column_runs.ts';
import * as factorStudies from './015_factor_studies.ts';
import * as newestClaims from './016_newest_claims.ts';
import * as outcomes from './017_outcomes.ts';
import * as judge from './018_judge.ts';
import * as forward from './019_forward.ts';
import * as impacts from './020_impacts.ts';
import * as keptOutcomes from './021_kept_outcomes.ts';
import * as accountEvents from './023_account_events.ts';
import * as grants from './024_grants.ts';
import * as sessionSteps from './025_session_steps.ts';
import * as assistantGrants from './026_assistant_grants.ts';
import * as backups from './027_backups.ts';
import * as numberEventsLock from './028_number_events_lock.ts';

interface ListedMigration {
  readonly name: string;
  readonly migration: Knex.Migration;
}

/** All migrations, oldest first. A file of this folder that is not listed here does not run. */
export const MIGRATIONS: readonly ListedMigration[] = [
  { name: '001_schema', migration: schema },
  { name: '002_files', migration: files },
  { name: '003_account_runs', migration: accountRuns },
  { name: '004_file_tickers', migration: fileTickers },
  { name: '005_no_rotation_chunks', migration: noRotationChunks },
  { name: '006_findings', migration: findings },
  { name: '007_results', migration: results },
  { name: '008_delisting_returns', migration: delistingReturns },
  { name: '009_no_leases', migration: noLeases },
  { name: '010_one_lake', migration: oneLake },
  { name: '011_run_labels', migration: runLabels },
  { name: '012_account_exports', migration: accountExports },
  { name: '013_own_columns', migration: ownColumns },
  { name: '014_column_runs', migration: columnRuns },
  { name: '015_factor_studies', migration: factorStudies },
  { name: '016_newest_claims', migration: newestClaims },
  { name: '017_outcomes', migration: outcomes },
  { name: '018_judge', migration: judge },
  { name: '019_forward', migration: forward },
  { name: '020_impacts', migration: impacts },
  { name: '021_kept_outcomes', migration: keptOutcomes },
  { name: '023_account_events', migration: accountEvents },
  { name: '024_grants', migration: grants },
  { name: '025_session_steps', migration: sessionSteps },
  { name: '026_assistant_grants', migration: assistantGrants },
  { name: '027_backups', migration: backups },
  { name: '028_number_events_lock', migration: numberEventsLock },
];

/** The last migration of version 0.3.0, which left the schema that the first one here creates. */
export const LAST_OF_FORMER_VERSION = '012_actors_by_id';

export const migrationSource: Knex.MigrationSource<ListedMigration> = {
  getMigrations: async () => [...MIGRATIONS],
  getMigrationName: (listed) => listed.name,
  getMigration: async (listed) => listed.migration,
};
