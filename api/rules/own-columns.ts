/** The own columns that rules may name: those of the account, and everyone's. */
import type { Pool } from '../../db/pool.ts';
import { type NamedRates, rateNames, type UsedColumn } from '../../jobs/contracts/backtest.ts';
import { usableColumns } from '../../jobs/runs/own-columns.ts';
import type { Caller } from '../access/caller.ts';
import { refuse } from '../http/input/request-failure.ts';

interface ColumnCall {
  readonly services: { readonly pool: Pool };
  readonly caller: Caller;
}

/** The unit of a column that is a rate. */
const RATE_UNIT = 'percent_per_year';
const NAMES_COLUMN = /\bmy\b/i;

/**
 * All columns that the caller may name; undefined where neither a text nor a rate names one. Throws, with its place, for a rate whose
 * column is not there or has no percentages a year.
 */
export async function readableColumns(
  { services, caller }: ColumnCall,
  texts: readonly (string | undefined)[],
  rates: NamedRates = {},
  part: 'body' | 'query' = 'body',
): Promise<UsedColumn[] | undefined> {
  const isNamed = rateNames(rates).length > 0 || texts.some((text) => text !== undefined && NAMES_COLUMN.test(text));
  if (!isNamed) return undefined;
  const columns = await usableColumns(services.pool, caller.kind === 'guest' ? null : caller.account.userId);
  assertRate(columns, rates.riskFree, [part, 'risk_free']);
  assertRate(columns, rates.cash?.rate, [part, 'cash', 'rate']);
  return columns;
}

function assertRate(columns: readonly UsedColumn[], rate: number | string | undefined, loc: readonly string[]): void {
  if (typeof rate !== 'string') return;
  const column = columns.find(({ name }) => name === rate);
  if (column === undefined) refuse(loc, { code: 'unknown_column', details: { name: rate } });
  if (!column.isMarket || column.unit !== RATE_UNIT) refuse(loc, { code: 'no_rate_column', details: { name: rate } });
}

/** Those of some columns that rules and rates name, by name; undefined for none. */
export function columnsNamed(
  columns: readonly UsedColumn[] | undefined,
  names: ReadonlySet<string>,
  rates: NamedRates = {},
): UsedColumn[] | undefined {
  const all = new Set([...names, ...rateNames(rates)]);
  return all.size === 0 ? undefined : columns?.filter(({ name }) => all.has(name));
}
