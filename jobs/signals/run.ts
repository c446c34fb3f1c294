/** The job of signals: every watch that is due, at the newest session, over whole histories. */

import { selectAdjustments } from '../../db/market/adjustments.ts';
import { selectSeries } from '../../db/market/bars.ts';
import { type Instrument, selectInstruments } from '../../db/market/instruments.ts';
import { recordEvaluation, type Signal } from '../../db/research/signals.ts';
import { type DueWatch, selectDueWatches } from '../../db/research/watches.ts';
import { newestSignal, withBarAhead } from '../../engine/backtest/newest-signal.ts';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { adjustToLastBar } from '../../engine/market/adjust.ts';
import { type BarSeries, EMPTY_SERIES } from '../../engine/market/series.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { spliceSeries } from '../../engine/market/venue-basis.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { type NewestSession, newestEvaluable } from './enqueue.ts';
import { preparedWatch, type WatchPlan } from './watch-plan.ts';

/** Instruments read at once. */
const CHUNK = 100;

export async function evaluateSignals(context: JobContext): Promise<void> {
  const { pool, now, log, signal } = context;
  const newest = await newestEvaluable(pool, now());
  if (newest === null) return;
  const due = await selectDueWatches(pool, newest.session, newest.dataVersion);
  if (due.length === 0) return;
  const instruments = await selectInstruments(pool);
  const plans = due.map((watch) => preparedWatch(watch, instruments));
  await lookAtInstruments(context, newest, instruments, plans);
  let recorded = 0;
  for (const { watch, signals } of plans) {
    signal.throwIfAborted();
    if (await recordEvaluation(pool, evaluationOf(watch, newest, signals, new Date(now())))) recorded++;
  }
  log.info({ session: newest.session, watches: recorded }, 'watches were evaluated');
}

function evaluationOf(watch: DueWatch, { session, dataVersion }: NewestSession, signals: readonly Signal[], at: Date) {
  const { id, name, userId, sendsMail } = watch;
  return { watch: { id, name }, userId, session, dataVersion, signals, sendsMail, at };
}

/** Reads each instrument once, by the chunk, for all watches that include it. */
async function lookAtInstruments(
  { pool, signal }: JobContext,
  { day }: NewestSession,
  instruments: readonly Instrument[],
  plans: readonly WatchPlan[],
): Promise<void> {
  const wanted = instruments.filter(({ id }) => plans.some((plan) => plan.watches(id)));
  const events = await selectAdjustments(pool);
  for (let at = 0; at < wanted.length; at += CHUNK) {
    signal.throwIfAborted();
    const chunk = wanted.slice(at, at + CHUNK);
    const ids = chunk.map(({ id }) => id);
    const [primary, consolidated] = [
      await selectSeries(pool, ids, 'primary_session'),
      await selectSeries(pool, ids, 'consolidated'),
    ];
    for (const instrument of chunk) {
      const { id } = instrument;
      const traded = spliceSeries(primary.get(id) ?? EMPTY_SERIES, consolidated.get(id) ?? EMPTY_SERIES, day);
      // Without a bar of the session there is nothing to say about it.
      if (traded.length === 0 || traded.day[traded.length - 1] !== day) continue;
      evaluateOn(instrument, adjustToLastBar(traded, events.get(id) ?? []), plans);
    }
  }
}

function evaluateOn(instrument: Instrument, series: BarSeries, plans: readonly WatchPlan[]): void {
  const { id, symbol } = instrument;
  const ahead = withBarAhead(series);
  const [indicators, indicatorsAhead] = [new IndicatorSet(series), new IndicatorSet(ahead)];
  for (const plan of plans) {
    if (!plan.watches(id) || !plan.passesScreen(indicators)) continue;
    const found = newestSignal(plan.strategy, plan.params, ahead, indicatorsAhead);
    if (found === null) continue;
    plan.signals.push({
      instrumentId: id,
      symbol: qualifiedSymbol(symbol),
      kind: found.kind,
      reason: found.reason,
      close: series.close[series.length - 1],
      figures: plan.figures(indicators, found.kind),
    });
  }
}
