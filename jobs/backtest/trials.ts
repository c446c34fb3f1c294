/** How many combinations stand behind a result. */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { recordTrials } from '../../db/backtests/trials.ts';
import type { Queryable } from '../../db/pool.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import type { BacktestSpec } from './contract.ts';

const KEY_BYTES = 16;

function keyOf(form: object): Buffer {
  return createHash('sha256')
    .update(canonicalize(form) as string)
    .digest()
    .subarray(0, KEY_BYTES);
}

/**
 * Distinct combinations that the account has computed on the same instrument and strategy (all rules are one), with the same adjustment and
 * execution, over any range; those of this run are recorded with it. Of a guest only this run is known.
 */
export async function countTrials(
  db: Queryable,
  userId: number | null,
  { instrumentId, strategy, rules, adjust, execution }: BacktestSpec,
  combinations: readonly ParameterValues[],
): Promise<number> {
  const forms = combinations.map((params) => (rules === undefined ? params : { rules, params }));
  const keys = new Map(forms.map(keyOf).map((key) => [key.toString('hex'), key]));
  if (userId === null) return keys.size;
  const search = keyOf({ instrumentId, strategy, adjust, execution });
  return recordTrials(db, { userId, search, combinations: [...keys.values()] });
}
