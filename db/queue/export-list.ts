/** Lists of exports. */
import type { Page, PageRequest } from '../page.ts';
import type { Queryable } from '../pool.ts';
import { raw, rowsOf, selectPage } from '../query-builder.ts';
import { EXPORT, type ExportRecord, type ExportStatus } from './exports.ts';

const EMAIL = raw('(select u.email from users u where u.id = exports.user_id) as email');

export interface ExportFilter {
  readonly status?: ExportStatus;
  /** Only exports that this account requested. */
  readonly userId?: number;
}

/** Newest first. */
export function selectExports(
  db: Queryable,
  { status, userId }: ExportFilter,
  page: PageRequest,
): Promise<Page<ExportRecord>> {
  const matching = rowsOf('exports', { status, user_id: userId });
  return selectPage(db, matching, page, (exports) =>
    exports.select<ExportRecord[]>(EXPORT.columns, EMAIL).orderBy('id', 'desc'),
  );
}
