/** The search for look-ahead in a kept backtest, and the warm-up that it needs. */
import type { SavedBacktest } from '../../db/backtests/kept-backtests.ts';
import { saveLookAhead } from '../../db/backtests/verdicts.ts';
import { transaction } from '../../db/pool.ts';
import { pricedRangeOf } from '../../engine/backtest/backtest.ts';
import { measureWarmUp, provePrefixes, type Rules } from '../../engine/backtest/look-ahead.ts';
import type { RunInput } from '../../engine/backtest/run-strategy.ts';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { strategyOf } from '../../engine/rules/strategy.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { type BacktestSpec, backtestSpecSchema } from '../backtest/contract.ts';
import { readHistory } from '../backtest/history.ts';
import type { JobContext } from '../job-context.ts';
import type { LookAheadReport } from './contract.ts';

/** The longest period among the parameters of a strategy, bars; 1 where it has none. */
function longestPeriod(params: ParameterValues): number {
  const periods = Object.entries(params).filter(([name]) => /(^|_)period$/.test(name));
  return Math.max(1, ...periods.map(([, value]) => Number(value)));
}

function prove({ signal }: Pick<JobContext, 'signal'>, run: RunInput, rules: Rules) {
  const proof = provePrefixes(run, rules);
  for (;;) {
    signal.throwIfAborted();
    const step = proof.next();
    if (step.done) return step.value;
  }
}

function proofOf(context: JobContext, spec: BacktestSpec, run: RunInput): LookAheadReport {
  const strategy = strategyOf(spec);
  const rules: Rules = (series) => strategy.plan(new IndicatorSet(series), spec.params);
  const { prefixes, differences, verdict, first } = prove(context, run, rules);
  const { needed, available, compared } = measureWarmUp(run, rules, longestPeriod(spec.params));
  return {
    prefixes,
    differences,
    verdict,
    first: first ? { cut_after: formatDay(first.cutAfter), date: formatDay(first.day), kind: first.kind } : undefined,
    warm_up: { needed_bars: needed, available_bars: available, compared },
    engine_version: ENGINE_VERSION,
    proved_at: new Date(context.now()).toISOString(),
  };
}

/** Null when no bar lies in the range any more, or the backtest was kept before its specification was. */
export async function proveKept(context: JobContext, saved: SavedBacktest): Promise<LookAheadReport | null> {
  if (saved.spec === null) return null;
  const { pool } = context;
  const spec = backtestSpecSchema.parse(saved.spec);
  const { asOf, listedOn, delistedOn, execution, strategy, symbol } = spec;
  const history = await readHistory(pool, spec.instrumentId, asOf);
  const ranged = pricedRangeOf(spec, { ...history, asOf, lifetime: { listedOn, delistedOn } });
  if (!ranged) return null;
  const { series, from, to, finalReason } = ranged;
  const report = proofOf(context, spec, { series, from, to, finalReason, execution });
  const { verdict, prefixes, proved_at, engine_version: engineVersion } = report;
  const proof = verdict === 'none' ? { strategy, engineVersion, symbol, prefixes, at: new Date(proved_at) } : null;
  await transaction(pool, (connection) => saveLookAhead(connection, saved.id, report, proof));
  return report;
}
