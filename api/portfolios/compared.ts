/** The answer of portfolios of target weights that one job ran beside each other. */
import { placeOf, type ResultPart } from '../../db/runs/run-results.ts';
import type { ComparedSummary } from '../../jobs/portfolio/summary.ts';
import { arrayOf, objectWith } from '../http/answer/long-json.ts';
import type { JsonStream, JsonText } from '../http/answer/reply.ts';
import { resultWith } from '../runs/keep.ts';
import type { RunCall } from '../runs/services.ts';
import type { DoneRun } from '../runs/state.ts';
import { presentationOf, resultOf, servedParts } from '../runs/view.ts';

/** The results of several portfolios, or the one of a portfolio. */
export function portfolioAnswer(call: RunCall, run: DoneRun, wanted: readonly ResultPart[]): JsonText | JsonStream {
  const { runs }: Partial<ComparedSummary> = JSON.parse(run.result.summary);
  return runs === undefined ? resultWith(call, run, wanted) : comparedAnswer(call, run, runs, wanted);
}

/** Each run has an equal share of the bytes that the plan allows. */
function comparedAnswer(
  call: RunCall,
  { createdAt, result }: DoneRun,
  runs: ComparedSummary['runs'],
  wanted: readonly ResultPart[],
): JsonText | JsonStream {
  const presentation = presentationOf(call, call.context.locale);
  const shared = { ...presentation, maxBytes: Math.floor(presentation.maxBytes / runs.length) };
  const names = wanted.filter((name) => name in runs[0].lengths);
  const each = runs.map(({ name, summary, selection, lengths }, i) => {
    const parts = servedParts(call.services.pool, result, names, (part) => {
      const whole = placeOf(result.lengths, part);
      // The bracket or comma before each.
      const before = runs.slice(0, i).reduce((sum, one) => sum + (one.lengths[part] ?? 0) + 1, 1);
      return whole && { from: whole.from + before, bytes: lengths[part] ?? 0 };
    });
    const id = { id: null, createdAt, isCached: false, selection };
    return objectWith({ name }, [['result', resultOf(summary, id, parts, shared)]]);
  });
  return objectWith({}, [['runs', arrayOf(each)]]);
}
