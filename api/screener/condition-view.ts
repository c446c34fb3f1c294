/** A condition in the form in which callers send it. */
import { requireComparison } from '../../engine/screener/comparisons.ts';
import type { Condition } from '../../engine/screener/screen.ts';

export function conditionView({ field, op, period, value, value2 }: Condition) {
  const arity = requireComparison(op).arity;
  return {
    field,
    op,
    ...(period === null ? {} : { period }),
    ...(arity >= 1 ? { value } : {}),
    ...(arity === 2 ? { value2 } : {}),
  };
}
