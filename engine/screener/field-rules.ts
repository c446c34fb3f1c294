/** Conditions of a screen in the language of rules. */
import { requireField } from './fields.ts';
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

/** Null: the language cannot say it. */
export function ruleOf({ field, period, op, value, value2 }: Condition): string | null {
  const rule = RULES[requireField(field).code];
  if (rule === undefined) return null;
  const text = rule(period ?? 0);
  if (op === 'is_true') return text;
  if (op === 'is_false') return `not (${text})`;
  return op === 'between' ? `between(${text}, ${value}, ${value2})` : `${text} ${SIGNS[op]} ${value}`;
}

/** All of the conditions as one rule; null: the language cannot say one of them. */
export function ruleOfAll(conditions: readonly Condition[]): string | null {
  const rules = conditions.map(ruleOf);
  return rules.includes(null) ? null : rules.join(' and ');
}
