/** The audit log: `/api/admin/audit`. */
import {
  AUDIT_RESULTS,
  type AuditEntry,
  selectAuditEntries,
  selectAuditEntry,
  selectAuditVocabulary,
} from '../../db/log/audit-log.ts';
import { found } from '../../engine/util/errors.ts';
import type { Route } from '../call/route.ts';
import {
  assertTimeRange,
  idField,
  instant,
  listSchema,
  momentFilter,
  pageQuery,
  searchText,
  z,
} from '../http/input/fields.ts';
import { defineRoute, type Services } from './services.ts';

const auditEntrySchema = z
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

const COMMON = { tag: 'Back office: audit', access: 'admin', limit: 'back_office' } as const;
const VOCABULARY_ENTRIES = 5_000;

function entryView(entry: AuditEntry): z.input<typeof auditEntrySchema> {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actor_id: entry.actorId,
    actor_email: entry.actorEmail,
    action: entry.action,
    target_type: entry.targetType,
    target_id: entry.targetId,
    result: entry.result,
    details: { ...entry.details },
    request_id: entry.requestId,
  };
}

export const AUDIT_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listAuditEntries',
    ...COMMON,
    method: 'get',
    path: '/api/admin/audit',
    summary: 'List actions of administrators and operators, newest first',
    description: 'Includes refused and failed actions, whose `details.error` names the reason.',
    querySchema: z.object({
      action: searchText(64).meta({ description: 'Exact' }),
      actor: searchText(255).meta({ description: 'Part of the e-mail address, or the id of the account' }),
      target_type: searchText(32).meta({ description: 'Exact, such as `user` or `article`' }),
      target_id: searchText(64).meta({ description: 'Exact' }),
      result: z
        .enum(AUDIT_RESULTS)
        .optional()
        .meta({ description: '`ok`, or `failed` for refused and failed actions' }),
      from: momentFilter('from').optional(),
      to: momentFilter('to').optional(),
      ...pageQuery,
    }),
    queryAliases: { start: 'from', end: 'to' },
    dataSchema: listSchema(auditEntrySchema),
    errors: ['invalid_date', 'invalid_date_range'],
    handle: async ({ query, services: { pool } }) => {
      const { action, actor, result, from, to, page, size } = query;
      assertTimeRange(from, to);
      const filter = { action, actor, result, from, to, targetType: query.target_type, targetId: query.target_id };
      const { total, items } = await selectAuditEntries(pool, filter, { page, size });
      return { total, page, size, items: items.map(entryView) };
    },
  }),
  defineRoute({
    operationId: 'getAuditVocabulary',
    ...COMMON,
    method: 'get',
    path: '/api/admin/audit/actions',
    summary: `List actions and target types of the latest ${VOCABULARY_ENTRIES} entries`,
    dataSchema: z.object({ actions: z.array(z.string()), target_types: z.array(z.string()) }),
    errors: [],
    handle: async ({ services: { pool } }) => {
      const { actions, targetTypes } = await selectAuditVocabulary(pool, VOCABULARY_ENTRIES);
      return { actions, target_types: targetTypes };
    },
  }),
  defineRoute({
    operationId: 'getAuditEntry',
    ...COMMON,
    method: 'get',
    path: '/api/admin/audit/{entry_id}',
    summary: 'Get an entry of the audit log',
    pathSchema: z.object({ entry_id: idField }),
    dataSchema: auditEntrySchema,
    errors: ['not_found'],
    handle: async ({ path, services: { pool } }) => {
      return entryView(found(await selectAuditEntry(pool, path.entry_id)));
    },
  }),
];
