/** The figures of a rule at the newest bar. */

import { substitute } from './canonical.ts';
import type { HistoryColumns } from './columns.ts';
import { compileCondition, compileValue } from './compile.ts';
import type { Expression } from './expression.ts';
import { comparedValues, printExpression } from './print.ts';

/** The values that the comparisons of a condition look at, by their text; null where one is undefined or of the position. */
export function figuresAtNewest(
  columns: HistoryColumns,
  condition: Expression,
  params: Readonly<Record<string, unknown>>,
): Record<string, number | null> {
  const figures = comparedValues(substitute(condition, params)).map((value): [string, number | null] => {
    const node = compileValue(value);
    const figure = node.isOfPosition ? Number.NaN : (columns.value(node).at(-1) ?? Number.NaN);
    return [printExpression(value), Number.isNaN(figure) ? null : figure];
  });
  return Object.fromEntries(figures);
}

/** Returns whether a condition is true at the newest bar. */
export function holdsAtNewest(columns: HistoryColumns, condition: Expression): boolean {
  return columns.mask(compileCondition(condition)).at(-1) === 1;
}
