/** Rejected rows of loads, for operators. */
import type { Queryable } from '../pool.ts';

export interface RejectionGroup {
  readonly reason: string;
  readonly count: number;
  /** Source and content of the first row. */
  readonly source: string;
  readonly content: string;
}

/** Rejected rows of a sync job by reason and file, most first. */
export async function selectRejectionGroups(db: Queryable, syncJobId: number): Promise<RejectionGroup[]> {
  const { rows } = await db.query<RejectionGroup>(
    `select reason, count(*) as count, (array_agg(source order by id))[1] as source,
       (array_agg(content order by id))[1] as content
     from rejected_rows where sync_job_id = $1
     group by reason, regexp_replace(source, ':[0-9]+$', '') order by 2 desc, 3`,
    [syncJobId],
  );
  return rows;
}
