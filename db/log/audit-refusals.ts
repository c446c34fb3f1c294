/** Refused actions after the first in a minute, added up per account for one entry of the audit log. */

import type { Queryable } from '../pool.ts';
import type { AuditIntent } from './audit-log.ts';

export async function addAuditRefusals(db: Queryable, { actorId, entries }: AuditIntent, at: Date): Promise<void> {
  await db.query(
    `insert into audit_refusals as r (actor_id, action, actor_email, calls, first_at, last_at)
     select $1, action, (select email from users where id = $1), 1, $3, $3 from unnest($2::text[]) a (action)
     on conflict (actor_id, action) do update set calls = r.calls + 1, last_at = greatest(r.last_at, excluded.last_at)`,
    [actorId, entries.map(({ action }) => action), at],
  );
}

/**
 * Writes an entry for each account whose refusals began at least a minute ago, and resets their sums. Any number of processes
 * may do this at once: each sum is taken by one of them.
 */
export async function logAuditRefusals(db: Queryable, at: Date): Promise<void> {
  await db.query(
    `with taken as (
       delete from audit_refusals where actor_id in (
         select actor_id from audit_refusals where first_at <= $1::timestamptz - interval '1 minute') returning *)
     insert into audit_log (at, actor_id, actor_email, action, target_type, target_id, result, details)
     select max(t.last_at), u.id, max(t.actor_email), 'admin.refused', 'user', t.actor_id::text, 'failed',
       jsonb_build_object('calls', sum(t.calls), 'from', min(t.first_at), 'to', max(t.last_at),
         'actions', jsonb_object_agg(t.action, t.calls))
     from taken t left join users u on u.id = t.actor_id group by t.actor_id, u.id`,
    [at],
  );
}
