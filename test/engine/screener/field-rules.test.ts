/** Conditions of a screen in words and as rules: each way leads back. */
import { describe, expect, it } from '@jest/globals';
import { COMPARISONS } from '../../../engine/screener/comparisons.ts';
import { conditionIn, ruleOf, ruleOfField } from '../../../engine/screener/field-rules.ts';
import { FIELDS } from '../../../engine/screener/fields.ts';
import type { Condition } from '../../../engine/screener/screen.ts';

const conditions = FIELDS.flatMap(({ code: field, kind, defaultPeriod }) =>
  COMPARISONS.filter((comparison) => comparison.kind === kind).map(({ code: op, arity }): Condition => {
    const [value, value2] = [arity > 0 ? -2.5 : 0, arity > 1 ? 40 : 0];
    return { field, op, period: defaultPeriod, value, value2 };
  }),
);

describe('a condition as a rule', () => {
  it('is read back as the same condition, whatever its field and comparison', () => {
    const said = conditions.filter(({ field }) => field !== 'days_since_high');
    expect(said.length).toBeGreaterThan(80);
    for (const condition of said) expect(conditionIn(ruleOf(condition) ?? '')).toEqual(condition);
    expect(ruleOfField('days_since_high', 252)).toBeNull();
    // A rule has no such number.
    expect(ruleOf({ field: 'close', op: 'gte', period: null, value: -1e18, value2: 0 })).toBeNull();
  });

  it('is read as people type it, and is left alone where it says something else', () => {
    expect(conditionIn('RSI( 14 )<40')).toEqual({ field: 'rsi', op: 'lt', period: 14, value: 40, value2: 0 });
    expect(conditionIn('dollar_volume > 1e6')).toMatchObject({
      field: 'dollar_volume',
      period: null,
      value: 1_000_000,
    });
    expect(conditionIn('close > sma(200)')).toMatchObject({ field: 'above_sma', op: 'is_true', period: 200 });
    for (const other of [
      'close > sma(50) * 2',
      'close > 5 or rsi(14) < 3',
      'sma(20) > sma(50)',
      'rsi(14)',
      '',
      'macd(12, 26) > 0',
    ])
      expect(conditionIn(other)).toBeNull();
  });
});
