/** The figures of a value of the rule language at every bar of a series, computed as backtests compute them. */
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import type { BarSeries } from '../../../engine/market/series.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { HistoryColumns } from '../../../engine/rules/columns.ts';
import { compileValue } from '../../../engine/rules/compile.ts';

/** Returns the column of a rule such as `sma(20) - lag(close, 1)`; its figures are undefined (NaN) at the first bars. */
export function ruleColumns(series: BarSeries): (rule: string) => Float64Array {
  const columns = new HistoryColumns(new IndicatorSet(series));
  return (rule) => {
    const checked = checkRule(rule, { result: 'value', mayUsePosition: false, parameters: null });
    if (!('expression' in checked)) throw new RangeError(`${rule}: ${JSON.stringify(checked.problems)}`);
    return columns.value(compileValue(checked.expression));
  };
}
