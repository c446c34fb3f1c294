/** Own columns that published claims read, and the claims that can be computed with them. */
import type { Pool } from '../../db/pool.ts';
import { CLAIMS, type Claim, columnsNeeded } from '../../engine/factors/claims/claims.ts';
import type { UsedColumn } from '../contracts/backtest.ts';
import { SHARES_COLUMN } from '../contracts/claims.ts';
import { usableColumns } from '../runs/own-columns.ts';

/** Own columns of an account, or everyone's, of those that claims may read. */
export async function readableClaimColumns(pool: Pool, userId: number | null): Promise<UsedColumn[]> {
  const isWanted = (name: string) =>
    name === SHARES_COLUMN || CLAIMS.some((claim) => columnsNeeded(claim).includes(name));
  const columns = await usableColumns(pool, userId);
  return columns.filter(({ name, kind, isMarket }) => isWanted(name) && kind === 'number' && !isMarket);
}

export const missingColumns = (claim: Claim, columns: readonly UsedColumn[]): string[] =>
  columnsNeeded(claim).filter((needed) => !columns.some(({ name }) => name === needed));

/** Codes of those whose columns are there. */
export function runnableClaims(columns: readonly UsedColumn[]): string[] {
  return CLAIMS.filter((claim) => missingColumns(claim, columns).length === 0).map(({ code }) => code);
}
