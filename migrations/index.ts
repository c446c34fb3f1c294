import type { Knex } from 'knex';
import * as market from './001_market.ts';
import * as syncJobs from './002_sync_jobs.ts';
import * as rateLimits from './003_rate_limits.ts';
import * as accounts from './004_accounts.ts';
import * as limiterClock from './005_limiter_clock.ts';
import * as backtests from './006_backtests.ts';
import * as snapshots from './007_snapshots.ts';
import * as backOffice from './008_back_office.ts';
import * as operations from './009_operations.ts';
import * as callsWithin from './010_calls_within.ts';
import * as pagesOfRuns from './011_pages_of_runs.ts';
import * as indexNewDays from './012_index_new_days.ts';
import * as loadUnits from './013_load_units.ts';
import * as limitsAndGuards from './014_limits_and_guards.ts';

import * as idempotency from './015_idempotency.ts';

import * as turnsOfRuns from './016_turns_of_runs.ts';

import * as marketSource from './017_market_source.ts';
import * as snapshotMeans from './018_snapshot_means.ts';
import * as jobTriggers from './019_job_triggers.ts';
import * as evidence from './020_evidence.ts';
import * as revisions from './021_revisions.ts';
import * as ownStrategies from './023_own_strategies.ts';
import * as portfolios from './026_portfolios.ts';
import * as sweeps from './027_sweeps.ts';
import * as runSpecs from './028_run_specs.ts';
import * as callerSignals from './029_caller_signals.ts';
import * as verdicts from './030_verdicts.ts';
import * as watches from './031_watches.ts';
import * as webhooks from './032_webhooks.ts';
import * as sweepNotes from './033_sweep_notes.ts';
import * as admitRuns from './036_admit_runs.ts';
import * as barSources from './039_bar_sources.ts';
import * as lake from './042_lake.ts';
import * as asOf from './043_as_of.ts';
import * as sql from './044_sql.ts';
import * as specChanged from './046_spec_changed.ts';
import * as jobOffers from './048_job_offers.ts';
import * as loneRuns from './049_lone_runs.ts';
import * as jobAttempts from './051_job_attempts.ts';
import * as comparisons from './053_comparisons.ts';
import * as alikeRequests from './054_alike_requests.ts';
import * as comparisonDifferences from './056_comparison_differences.ts';
import * as loneRunsApart from './059_lone_runs_apart.ts';
import * as refusedComparisons from './061_refused_comparisons.ts';
import * as batchesGiven from './065_batches_given.ts';
import * as aheadOfSlots from './066_ahead_of_slots.ts';
import * as resultsOfTheSameBars from './067_results_of_the_same_bars.ts';
import * as oneJobTrigger from './068_one_job_trigger.ts';
import * as plansOfAdmissions from './069_plans_of_admissions.ts';
import * as turnsOfAccounts from './077_turns_of_accounts.ts';
import * as largeAnswers from './080_large_answers.ts';
import * as loginRequests from './081_login_requests.ts';
import * as limiterTotals from './082_limiter_totals.ts';
import * as publicQueue from './084_public_queue.ts';
import * as sweepRequests from './090_sweep_requests.ts';
import * as previousNames from './091_previous_names.ts';

interface ListedMigration {
  readonly name: string;
  readonly migration: Knex.Migration;
}

/** All migrations, oldest first. A file of this folder that is not listed here does not run. */
export const MIGRATIONS: readonly ListedMigration[] = [
  { name: '001_market', migration: market },
  { name: '002_sync_jobs', migration: syncJobs },
  { name: '003_rate_limits', migration: rateLimits },
  { name: '004_accounts', migration: accounts },
  { name: '005_limiter_clock', migration: limiterClock },
  { name: '006_backtests', migration: backtests },
  { name: '007_snapshots', migration: snapshots },
  { name: '008_back_office', migration: backOffice },
  { name: '009_operations', migration: operations },
  { name: '010_calls_within', migration: callsWithin },
  { name: '011_pages_of_runs', migration: pagesOfRuns },
  { name: '012_index_new_days', migration: indexNewDays },
  { name: '013_load_units', migration: loadUnits },
  { name: '014_limits_and_guards', migration: limitsAndGuards },
  { name: '015_idempotency', migration: idempotency },
  { name: '016_turns_of_runs', migration: turnsOfRuns },
  { name: '017_market_source', migration: marketSource },
  { name: '018_snapshot_means', migration: snapshotMeans },
  { name: '019_job_triggers', migration: jobTriggers },
  { name: '020_evidence', migration: evidence },
  { name: '021_revisions', migration: revisions },
  { name: '023_own_strategies', migration: ownStrategies },
  { name: '026_portfolios', migration: portfolios },
  { name: '027_sweeps', migration: sweeps },
  { name: '028_run_specs', migration: runSpecs },
  { name: '029_caller_signals', migration: callerSignals },
  { name: '030_verdicts', migration: verdicts },
  { name: '031_watches', migration: watches },
  { name: '032_webhooks', migration: webhooks },
  { name: '033_sweep_notes', migration: sweepNotes },
  { name: '036_admit_runs', migration: admitRuns },
  { name: '039_bar_sources', migration: barSources },
  { name: '042_lake', migration: lake },
  { name: '043_as_of', migration: asOf },
  { name: '044_sql', migration: sql },
  { name: '046_spec_changed', migration: specChanged },
  { name: '048_job_offers', migration: jobOffers },
  { name: '049_lone_runs', migration: loneRuns },
  { name: '051_job_attempts', migration: jobAttempts },
  { name: '053_comparisons', migration: comparisons },
  { name: '054_alike_requests', migration: alikeRequests },
  { name: '056_comparison_differences', migration: comparisonDifferences },
  { name: '059_lone_runs_apart', migration: loneRunsApart },
  { name: '061_refused_comparisons', migration: refusedComparisons },
  { name: '065_batches_given', migration: batchesGiven },
  { name: '066_ahead_of_slots', migration: aheadOfSlots },
  { name: '067_results_of_the_same_bars', migration: resultsOfTheSameBars },
  { name: '068_one_job_trigger', migration: oneJobTrigger },
  { name: '069_plans_of_admissions', migration: plansOfAdmissions },
  { name: '077_turns_of_accounts', migration: turnsOfAccounts },
  { name: '080_large_answers', migration: largeAnswers },
  { name: '081_login_requests', migration: loginRequests },
  { name: '082_limiter_totals', migration: limiterTotals },
  { name: '084_public_queue', migration: publicQueue },
  { name: '090_sweep_requests', migration: sweepRequests },
  { name: '091_previous_names', migration: previousNames },
];

export const migrationSource: Knex.MigrationSource<ListedMigration> = {
  getMigrations: async () => [...MIGRATIONS],
  getMigrationName: (listed) => listed.name,
  getMigration: async (listed) => listed.migration,
};
