/** The own columns that rules may name: those of the account, and everyone's. */
import type { Pool } from '../../db/pool.ts';
import type { UsedColumn } from '../../jobs/contracts/backtest.ts';
import { usableColumns } from '../../jobs/runs/own-columns.ts';
import type { Caller } from '../access/caller.ts';

interface ColumnCall {
  readonly services: { readonly pool: Pool };
  readonly caller: Caller;
}

const NAMES_COLUMN = /\bmy\b/i;

/** All columns that the caller may name; undefined where no text names one. */
export async function readableColumns(
  { services, caller }: ColumnCall,
  texts: readonly (string | undefined)[],
): Promise<UsedColumn[] | undefined> {
  if (!texts.some((text) => text !== undefined && NAMES_COLUMN.test(text))) return undefined;
  return usableColumns(services.pool, caller.kind === 'guest' ? null : caller.account.userId);
}

/** Those of some columns that rules name, by name; undefined for none. */
export function columnsNamed(
  columns: readonly UsedColumn[] | undefined,
  names: ReadonlySet<string>,
): UsedColumn[] | undefined {
  return names.size === 0 ? undefined : columns?.filter(({ name }) => names.has(name));
}
