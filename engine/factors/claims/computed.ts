/** Published claims as they are computed in the months of a market. */
import type { ClaimResult } from './rows.ts';
import type { gradeOf, Why } from './why.ts';

export interface ComputedClaim extends ClaimResult {
  readonly code: string;
  readonly why: readonly Why[];
  readonly grade: ReturnType<typeof gradeOf>;
}

export interface ComputedClaims {
  readonly items: readonly ComputedClaim[];
  /** Instruments with a bar in the range, and the first and last month of return. */
  readonly universe: { readonly instruments: number; readonly first: string | null; readonly last: string | null };
  readonly overall: {
    /** Claims with a t, and those whose t is above the 95th percentile of chance. */
    readonly tested: number;
    readonly above: number;
    /** Codes of those above 0 with 95 % confidence in all of them together (Romano & Wolf 2005); null: too few common months. */
    readonly superior: readonly string[] | null;
  };
}

/** As everybody sees them: without their months. */
export type NewestClaims = Omit<ComputedClaims, 'items'> & {
  readonly items: readonly Omit<ComputedClaim, 'series'>[];
};
