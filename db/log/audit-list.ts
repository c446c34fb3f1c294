/** Reads the audit log. */

import type { Page, PageRequest } from '../page.ts';
import type { Queryable } from '../pool.ts';
import { rowsOf, selectPage } from '../query-builder.ts';
import type { Selected } from '../schema/columns.ts';
import { selection } from '../schema/tables.ts';
import type { AuditResult } from './audit-log.ts';

const ENTRY = selection('audit_log', {
  id: 'id',
  at: 'at',
  actorId: 'actor_id',
  actorEmail: 'actor_email',
  action: 'action',
  targetType: 'target_type',
  targetId: 'target_id',
  result: 'result',
  details: 'details',
  requestId: 'request_id',
});

export type AuditEntry = Selected<typeof ENTRY>;

export interface AuditFilter {
  readonly action?: string;
  /** Part of the e-mail address, or the id of the account. */
  readonly actor?: string;
  readonly targetType?: string;
  readonly targetId?: string;
  readonly result?: AuditResult;
  /** First and last moment, both included. */
  readonly from?: Date;
  readonly to?: Date;
}

/** Newest first. */
export function selectAuditEntries(
  db: Queryable,
  { action, actor, targetType, targetId, result, from, to }: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  const matching = rowsOf('audit_log', { action, target_type: targetType, target_id: targetId, result });
  if (actor !== undefined) {
    if (/^\d{1,15}$/.test(actor)) matching.where('actor_id', Number(actor));
    else matching.whereRaw('position(lower(?) in lower(actor_email)) > 0', [actor]);
  }
  if (from !== undefined) matching.where('at', '>=', from);
  if (to !== undefined) matching.where('at', '<=', to);
  return selectPage(db, matching, page, (entries) => entries.select(ENTRY.columns).orderBy('id', 'desc'));
}

/** An entry by its id; null when there is none. */
export async function selectAuditEntry(db: Queryable, id: number): Promise<AuditEntry | null> {
  const { rows } = await db.query<AuditEntry>(`select ${ENTRY.sql} from audit_log where id = $1`, [id]);
  return rows[0] ?? null;
}

/** Actions and target types among the latest `limit` entries, by name. */
export async function selectAuditVocabulary(
  db: Queryable,
  limit: number,
): Promise<{ actions: string[]; targetTypes: string[] }> {
  const { rows } = await db.query<{ actions: string[]; targetTypes: string[] }>(
    `select coalesce(array_agg(distinct action order by action), '{}') as actions,
       coalesce(array_agg(distinct target_type order by target_type), '{}') as "targetTypes"
     from (select action, target_type from audit_log order by id desc limit $1) latest`,
    [limit],
  );
  return rows[0];
}
