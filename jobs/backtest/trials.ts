/** The combinations that stand behind a result. */
import { hash } from 'node:crypto';
import { canonicalRules } from '../../engine/rules/strategy.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import type { BacktestSpec } from '../contracts/backtest.ts';
import { canonicalJson } from './canonical-json.ts';

const KEY_BYTES = 16;

function keyOf(form: object): Buffer {
  return hash('sha256', canonicalJson(form), 'buffer').subarray(0, KEY_BYTES);
}

/** The trials that a run adds to those of its account: distinct combinations of parameters. */
export interface Trials {
  /** Identifies the instruments, strategy (all rules count as one), adjustment, and execution, but not the range. */
  readonly search: Buffer;
  readonly combinations: readonly Buffer[];
}

/** `search` names what runs that count together have in common; `combinations` how they differ. */
export function trialsIn(search: object, combinations: readonly object[]): Trials {
  const keys = new Map(combinations.map(keyOf).map((key) => [key.toString('hex'), key]));
  return { search: keyOf(search), combinations: [...keys.values()] };
}

export function trialsOf(spec: BacktestSpec, combinations: readonly ParameterValues[]): Trials {
  const { instrumentId, strategy, rules, adjust, execution } = spec;
  const canonical = canonicalRules(rules);
  const forms = combinations.map((params) => (canonical === null ? params : { rules: canonical, params }));
  return trialsIn({ instrumentId, strategy, adjust, execution }, forms);
}
