/** The largest differences of the last comparisons, which `listFoundDifferences` records. */
import type { Page, PageRequest } from '../page.ts';
import type { Queryable } from '../pool.ts';
import { type BarDifference, DIFFERENCE_COLUMNS, type DifferenceKind } from './other-bars.ts';

export interface DifferenceFilter {
  readonly kind?: DifferenceKind;
  readonly instrumentId?: number;
  /** First and last day (YYYY-MM-DD). */
  readonly start?: string;
  readonly end?: string;
}

/** The largest differences of price first, then those of volume, then the bars that only one side has. */
export async function selectDifferences(
  db: Queryable,
  comparisonId: number,
  { kind, instrumentId, start, end }: DifferenceFilter,
  { page, size }: PageRequest,
): Promise<Page<BarDifference>> {
  const filtered = `from comparison_differences d where comparison_id = $1 and ($2::text is null or kind = $2)
    and ($3::int is null or instrument_id = $3) and ($4::date is null or day >= $4) and ($5::date is null or day <= $5)`;
  const wanted = [comparisonId, kind, instrumentId, start, end];
  const { rows: counts } = await db.query<{ total: number }>(`select count(*)::float8 as total ${filtered}`, wanted);
  const { rows: items } = await db.query<BarDifference>(
    `select ${DIFFERENCE_COLUMNS} from (select d.* ${filtered}) d join instruments i on i.id = d.instrument_id
     order by d.price_pct desc nulls last, d.volume_pct desc nulls last, i.symbol collate "C", d.day limit $6 offset $7`,
    [...wanted, size, (page - 1) * size],
  );
  return { total: counts[0].total, items };
}

export async function deleteDifferences(db: Queryable, comparisonId: number): Promise<void> {
  await db.query('delete from comparison_differences where comparison_id = $1', [comparisonId]);
}

/** Deletes the differences of all comparisons but the newest ones. */
export async function deleteOldDifferences(db: Queryable, kept: number): Promise<void> {
  await db.query(
    `delete from comparison_differences
     where comparison_id < (select min(id) from (select id from comparisons order by id desc limit $1) newest)`,
    [kept],
  );
}
