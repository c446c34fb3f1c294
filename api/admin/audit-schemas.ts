/** The audit log in answers. */
import { AUDIT_RESULTS } from '../../db/log/audit-log.ts';
import { instant, z } from '../http/input/fields.ts';

export const auditEntrySchema = z
  .object({
    id: z.int(),
    at: instant,
    actor_id: z.int().nullable().meta({ description: 'Null after the account was deleted' }),
    actor_email: z.string().nullable(),
    action: z.string(),
    target_type: z.string(),
    target_id: z.string().nullable(),
    result: z.enum(AUDIT_RESULTS),
    details: z.record(z.string(), z.unknown()),
    request_id: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });
