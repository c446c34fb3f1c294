/** The shapes of what the back office answers. */
import type { z } from 'zod';
import type { auditEntrySchema } from '../../admin/audit-schemas.ts';
import type { exportSchema } from '../../admin/export-schemas.ts';
import type { overviewSchema } from '../../admin/stats-schemas.ts';
import type { adminUserSchema, userDetailSchema } from '../../admin/user-schemas.ts';
import type { articleGroupItemSchema, articleGroupSchema } from '../../articles/schemas.ts';

export type AuditEntry = z.output<typeof auditEntrySchema>;
export type Export = z.output<typeof exportSchema>;
export type Overview = z.output<typeof overviewSchema>;
export type AdminUser = z.output<typeof adminUserSchema>;
export type UserDetail = z.output<typeof userDetailSchema>;
export type ArticleGroupItem = z.output<typeof articleGroupItemSchema>;
export type ArticleGroup = z.output<typeof articleGroupSchema>;

export interface Listed<Item> {
  readonly total: number;
  readonly page: number;
  readonly size: number;
  readonly items: readonly Item[];
}
