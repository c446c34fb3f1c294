/** Kept backtests on the data of today, and the proof that they did not look ahead. */
import type { SavedBacktest } from '../../db/runs/kept-runs.ts';
import { partsIn } from '../../db/runs/run-results.ts';
import { pricedRangeOf } from '../../engine/backtest/backtest.ts';
import { measureWarmUp, type ProvedRun, provePrefixes, type Rules } from '../../engine/backtest/look-ahead.ts';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { strategyOf } from '../../engine/rules/strategy.ts';
import { type BacktestSpec, backtestSpecSchema } from '../contracts/backtest.ts';
import { type History, type HistorySource, PRESENT } from '../runs/history.ts';
import type { KeptData, Proof, ReadContext } from '../runs/kind.ts';
import { readOthers, referencedInstruments } from '../runs/others.ts';
import { changedCandles, PastData, restore, scopeOf, withinScope } from '../runs/past-data.ts';
import { longestPeriod, runProof } from '../runs/proof.ts';
import { type BarDays, dataDigest, dataRead } from '../runs/receipt.ts';
import { namedAsServed, presentOthers, withPresentId } from '../runs/recompute.ts';
import { type BacktestSummary, backtestSummary } from '../runs/summary.ts';

/** The days of the first and the last bar that a kept backtest read; without a receipt, or with one of an earlier version, only the last is known. */
function daysRead({ receipt, end_date }: BacktestSummary): BarDays {
  const { first_bar = null, last_bar = end_date } = receipt ?? {};
  return [first_bar === null ? Number.NEGATIVE_INFINITY : requireDay(first_bar), requireDay(last_bar)];
}

export async function readKeptBacktest(
  { pool }: ReadContext,
  saved: SavedBacktest,
  source: HistorySource = PRESENT,
): Promise<KeptData<BacktestSpec, History>> {
  const spec = await withPresentId(pool, backtestSpecSchema.parse(saved.spec));
  const scope = scopeOf(daysRead(backtestSummary(saved.summary)), spec);
  const present = await presentOthers(pool, spec.others);
  const read = await source([spec, ...namedAsServed(present)], spec.asOf);
  const [whole] = await read(pool, [spec.instrumentId], spec.asOf);
  const others = await readOthers(pool, present, spec.asOf, read);
  const data = { ...withinScope(whole, scope), others };
  return {
    spec,
    data,
    // If undoing revisions does not restore the data, for example because the market was replaced, the changes are the revisions since the
    // run, and the other bars of the result that differ.
    differences: async (run, result) => {
      const past = await PastData.read(pool, spec.instrumentId, data, scope);
      // The data of other instruments is as it is now: their revisions are not undone.
      const digest = () => dataDigest(dataRead(spec, { ...past.history, others }));
      if (restore([past], () => digest() === run.digest)) return past.differences();
      const now = (result && partsIn(result).get('klines')?.toString()) ?? '[]';
      return past.differencesSince(run.at, run.candles === null ? [] : changedCandles(run.candles, now));
    },
  };
}

export async function proveBacktest(context: ReadContext, spec: BacktestSpec, history: History): Promise<Proof | null> {
  const { asOf, listedOn, delistedOn, execution, symbol, params } = spec;
  const ranged = pricedRangeOf(spec, { ...history, asOf, lifetime: { listedOn, delistedOn } });
  if (!ranged) return null;
  const { series, from, to, finalReason, cut } = ranged;
  const run: ProvedRun = { series, from, to, finalReason, execution, cut };
  const strategy = strategyOf(spec, referencedInstruments(history.others, spec.adjust));
  const rules: Rules = (bars) => strategy.plan(new IndicatorSet(bars), params);
  return {
    proof: await runProof(context, provePrefixes(run, rules)),
    warmUp: measureWarmUp(run, rules, longestPeriod(spec)),
    proved: { strategy: spec.strategy, symbol },
  };
}
