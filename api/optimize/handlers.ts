/** Optimizations: from a grid of parameters to a queued job, and the state of the job. */

import type { ServedResult } from '../../db/runs/run-results.ts';
import type { Run } from '../../db/runs/runs.ts';
import { type ReportedSearchStatistics, storedSelection } from '../../jobs/backtest/statistics.ts';
import type { BacktestSummary } from '../../jobs/backtest/summary.ts';
import { type Accepted, JsonText } from '../http/answer/reply.ts';
import type { Locale } from '../http/language/locale.ts';
import { requestRun } from '../runs/request.ts';
import { acceptedRun, isDone, ownRun, runState } from '../runs/state.ts';
import { sentencesOf } from '../runs/statistics-view.ts';
import { describeRange, isBeingLoaded } from '../runs/view.ts';
import type { ScreenCall, Services } from '../screener/services.ts';
import { type OptimizeBody, searchSpecOf } from './request.ts';

/** Queues the search of a grid, on one instrument or on a portfolio. */
export async function queueOptimize(call: ScreenCall, body: OptimizeBody): Promise<Accepted> {
  const { services, context, caller } = call;
  const spec = await searchSpecOf(call, body);
  const run = await requestRun(services, context, caller, { kind: 'optimize', spec, save: false, isAsync: true });
  return acceptedRun(services.pool, run, context.locale);
}

export async function optimizeState(call: ScreenCall, jobId: string, waitSeconds: number): Promise<JsonText> {
  const run = await ownRun(call, 'optimize', jobId, waitSeconds);
  const result = isDone(run) ? inLanguage(run, call.services, call.context.locale) : null;
  const state = await runState(call.services.pool, run, call.context.locale);
  return new JsonText(JSON.stringify({ ...state, progress_pct: run.progressPct, result }));
}

type StoredSearch = Partial<Pick<BacktestSummary, 'note_codes' | 'data_range' | 'selection_basis'>> & {
  readonly statistics?: ReportedSearchStatistics;
};

/** A stored result with its texts in a language. */
function inLanguage(run: Run & { readonly result: ServedResult }, services: Services, locale: Locale): object {
  const stored: StoredSearch = JSON.parse(run.result.summary);
  const { note_codes, data_range, statistics, selection_basis: _basis, ...figures } = stored;
  // The result of an older version.
  if (!note_codes || !data_range) return figures;
  const selection = storedSelection(run);
  return {
    ...figures,
    ...describeRange({ note_codes, data_range }, locale, isBeingLoaded(services)),
    statistics: statistics && { ...statistics, sentences: sentencesOf({ statistics, selection }, locale) },
    selection: selection ?? undefined,
  };
}
