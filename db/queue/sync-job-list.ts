/** Lists of sync jobs. */
import type { Page, PageRequest } from '../page.ts';
import type { Queryable } from '../pool.ts';
import { rowsOf, selectPage } from '../query-builder.ts';
import { SYNC_JOB, type SyncJob, type SyncJobType, type SyncStatus } from './sync-jobs.ts';

export interface SyncFilter {
  readonly jobType?: SyncJobType;
  readonly status?: SyncStatus;
}

/** Newest first. */
export function selectSyncJobs(
  db: Queryable,
  { jobType, status }: SyncFilter,
  page: PageRequest,
): Promise<Page<SyncJob>> {
  return selectPage(db, rowsOf('sync_jobs', { job_type: jobType, status }), page, (jobs) =>
    jobs.select(SYNC_JOB.columns).orderBy('id', 'desc'),
  );
}
