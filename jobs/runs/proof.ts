/** Proofs that runs did not look ahead. */
import type { BacktestSettings } from '../../engine/backtest/backtest.ts';
import { longestPeriodOf } from '../../engine/rules/lookback.ts';
import { readRules } from '../../engine/rules/strategy.ts';
import type { ReadContext } from './kind.ts';

/** The longest period of a strategy in bars; 1 if it has none. */
export function longestPeriod({ rules, params }: Pick<BacktestSettings, 'rules' | 'params'>): number {
  const read = rules && readRules(rules);
  if (read && 'rules' in read) return longestPeriodOf(read.rules, params);
  const periods = Object.entries(params).filter(([name]) => /(^|_)period$/.test(name));
  return Math.max(1, ...periods.map(([, value]) => Number(value)));
}

/** Runs a proof to its end, unless the job is canceled. */
export async function runProof<Proven>(
  { signal }: Pick<ReadContext, 'signal'>,
  proof: Generator<number, Proven> | AsyncGenerator<number, Proven>,
): Promise<Proven> {
  for (;;) {
    signal.throwIfAborted();
    const step = await proof.next();
    if (step.done) return step.value;
  }
}
