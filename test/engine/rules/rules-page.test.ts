/** RULES.md: its examples run, and it names every function. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { runStrategy } from '../../../engine/backtest/simulate.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { HistoryColumns } from '../../../engine/rules/columns.ts';
import { compileCondition } from '../../../engine/rules/compile.ts';
import { isConstant, RULE_FUNCTIONS } from '../../../engine/rules/functions/catalogue.ts';
import type { RuleFunction } from '../../../engine/rules/functions/function.ts';
import { readRules, rulesStrategy } from '../../../engine/rules/strategy.ts';
import { conditionBars, RULE_BARS } from '../../../engine/screener/rule-figures.ts';
import { effectiveParameters } from '../../../engine/strategies/catalogue.ts';
import { randomSeries } from '../../support/series.ts';

const page = readFileSync(new URL('../../../ops/docs/RULES.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^(\d+)\. (.+?):\n\s+```json\n\s+(.+)\n/gm)].map(
  ([, number, title, json]) => [Number(number), title, JSON.parse(json)] as const,
);
const series = Array.from({ length: 12 }, (_, i) => randomSeries(900, i + 1));
/** Values for the parameters of examples. */
const GIVEN = { fast: 10, slow: 30 };

/** A row of the page: the call with its defaults, and its description; for indicators also look-back and source. */
function rowOf(fn: RuleFunction): string {
  const args = fn.args?.map((one) => (isConstant(one) ? `${one.name} = ${one.default}` : one.name));
  const usage = args === undefined ? fn.name : `${fn.name}(${args.join(', ')})`;
  const cells = [`\`${usage}\``, fn.description.en];
  if (fn.kind === 'indicator') cells.push(String(fn.bars(fn.args.map((one) => one.default))), fn.source);
  return `| ${cells.join(' | ')} |`;
}

describe('the page about rules', () => {
  it('has twelve examples', () => {
    expect(examples.map(([number]) => number)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
  });

  it('has a row for each function with the facts of its record', () => {
    const tables = [...page.matchAll(/<!-- functions:begin -->(.*?)<!-- functions:end -->/gs)];
    const rows = tables.flatMap(([, table]) => table.trim().split('\n').slice(2));
    expect(rows.toSorted()).toEqual(RULE_FUNCTIONS.map(rowOf).toSorted());
  });

  it.each(examples)('runs example %i: %s', (_, __, rules) => {
    if ('where' in rules) {
      const checked = checkRule(rules.where, { result: 'condition', mayUsePosition: false, parameters: null });
      if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
      const condition = compileCondition(checked.expression);
      expect(conditionBars(condition)).toBeLessThanOrEqual(RULE_BARS);
      const hits = series.flatMap((bars) => [...new HistoryColumns(new IndicatorSet(bars)).mask(condition)]);
      expect(new Set(hits)).toEqual(new Set([0, 1]));
      return;
    }
    const read = readRules(rules);
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    const given = Object.fromEntries(Object.entries(GIVEN).filter(([name]) => read.rules.parameters.has(name)));
    const strategy = rulesStrategy(read.rules, given);
    const effective = effectiveParameters(strategy, given);
    if ('refused' in effective) throw new Error(JSON.stringify(effective.refused));
    const trades = series.flatMap((bars) => {
      const range = { from: 0, to: bars.length, finalReason: 'end_of_data' } as const;
      const costs = { commissionRate: 0, minCommission: 0, slippageBps: 0, initialCapital: 1_000 };
      const input = { ...range, series: bars, execution: { executeOn: 'close', ...costs } as const };
      return runStrategy(strategy, effective.values, input).trades;
    });
    expect(trades.some(({ exitReason }) => exitReason !== 'end_of_data')).toBe(true);
  });
});
