/** Conditions of a screen in the language of rules, and back. Pages use it too. */
import { MAX_NUMBER } from '../rules/syntax.ts';
import type { Condition } from './screen.ts';

/** The rule of a field, by its period. A field that the language cannot say is not among them. */
const RULES: Readonly<Record<string, (n: number) => string>> = {
  close: () => 'close',
  change_pct: () => 'roc(1)',
  gap_pct: () => '100 * (open / lag(close, 1) - 1)',
  volume: () => 'volume',
  dollar_volume: () => 'dollar_volume',
  volume_ratio: (n) => `volume / lag(sma_of(volume, ${n}), 1)`,
  sma: (n) => `sma(${n})`,
  ema: (n) => `ema(${n})`,
  price_vs_sma_pct: (n) => `100 * (close / sma(${n}) - 1)`,
  sma_slope_pct: (n) => `100 * (sma(${n}) / lag(sma(${n}), 5) - 1)`,
  above_sma: (n) => `close > sma(${n})`,
  roc_pct: (n) => `roc(${n})`,
  rsi: (n) => `rsi(${n})`,
  atr_pct: (n) => `100 * atr(${n}) / close`,
  volatility_pct: (n) => `volatility(${n})`,
  near_high_pct: (n) => `100 * close / highest_of(high, ${n})`,
  new_high: (n) => `high > highest(${n})`,
  new_low: (n) => `low < lowest(${n})`,
  pullback_from_high_pct: (n) => `100 * (1 - close / highest_of(high, ${n}))`,
  range_position_pct: (n) => `100 * (close - lowest_of(low, ${n})) / (highest_of(high, ${n}) - lowest_of(low, ${n}))`,
};

const SIGNS: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** A field in the language of rules; null: the language cannot say it. */
export function ruleOfField(field: string, period: number | null): string | null {
  return RULES[field]?.(period ?? 0) ?? null;
}

/** Null: the language cannot say it. */
export function ruleOf({ field, period, op, value, value2 }: Condition): string | null {
  const text = ruleOfField(field, period);
  if (text === null || Math.max(Math.abs(value), Math.abs(value2)) > MAX_NUMBER) return null;
  if (op === 'is_true') return text;
  if (op === 'is_false') return `not (${text})`;
  return op === 'between' ? `between(${text}, ${value}, ${value2})` : `${text} ${SIGNS[op]} ${value}`;
}

/** All of the conditions as one rule; null: the language cannot say one of them. */
export function ruleOfAll(conditions: readonly Condition[]): string | null {
  const rules = conditions.map(ruleOf);
  return rules.includes(null) ? null : rules.join(' and ');
}

const bare = (text: string) => text.replaceAll(/\s+/g, '').toLowerCase();
const COMPARED = /^(.+?)(>=|<=|>|<)(-?[\d.]+(?:e\d+)?)$/;
const BETWEEN = /^between\((.+),(-?[\d.]+),(-?[\d.]+)\)$/;

/** The field that a text says, whose period is a number in it. `isFlag`: whether the field is a condition itself. */
function fieldIn(text: string, isFlag: boolean): Pick<Condition, 'field' | 'period'> | null {
  const periods = [0, ...(text.match(/\d+/g) ?? []).map(Number)];
  for (const [field, rule] of Object.entries(RULES)) {
    if (/[<>]/.test(rule(0)) !== isFlag) continue;
    const period = periods.find((one) => bare(rule(one)) === text);
    if (period !== undefined) return { field, period: rule.length === 0 ? null : period };
  }
  return null;
}

/** The condition that a rule says as `ruleOf` writes it, but for spaces and case; null: it says something else. */
export function conditionIn(rule: string): Condition | null {
  const text = bare(rule);
  const flag = fieldIn(text.replace(/^not\((.+)\)$/, '$1'), true);
  if (flag) return { ...flag, op: text.startsWith('not(') ? 'is_false' : 'is_true', value: 0, value2: 0 };
  const between = BETWEEN.exec(text);
  const [, left, sign, first] = COMPARED.exec(text) ?? [];
  const op = between ? 'between' : Object.keys(SIGNS).find((code) => SIGNS[code] === sign);
  const field = fieldIn(between?.[1] ?? left ?? '', false);
  const [value, value2] = between ? [Number(between[2]), Number(between[3])] : [Number(first), 0];
  return field === null || op === undefined ? null : { ...field, op, value, value2 };
}
