/** The job of an optimization, of one instrument, a portfolio, or a rotation; and of a small sweep. */
import { optimizeSpecSchema, portfolioSearchSchema, rotationSearchSchema } from '../contracts/optimize.ts';
import { smallSweepSchema } from '../contracts/sweep.ts';
import type { RunContext } from '../run-frame.ts';
import { computeSweep } from '../sweep/small-sweep.ts';
import { runSearch, type SearchContext } from './search.ts';
import { searchBacktest } from './search-instrument.ts';
import { searchPortfolio } from './search-portfolio.ts';
import { searchRotation } from './search-rotation.ts';

export function runOptimizeJob(
  context: RunContext & SearchContext,
  { runId }: { readonly runId: string },
): Promise<void> {
  return runSearch(context, runId, async (run) => {
    const searchRun = { runId, dataVersion: run.dataVersion };
    const spec: unknown = JSON.parse(run.spec);
    const sweep = smallSweepSchema.safeParse(spec);
    // Its cells are not stored, only what they come to.
    if (sweep.success) return { summary: await computeSweep(context, runId, sweep.data) };
    const rotation = rotationSearchSchema.safeParse(spec);
    if (rotation.success) return searchRotation(context, searchRun, rotation.data);
    const portfolio = portfolioSearchSchema.safeParse(spec);
    return portfolio.success
      ? searchPortfolio(context, searchRun, portfolio.data)
      : searchBacktest(context, searchRun, optimizeSpecSchema.parse(spec));
  });
}
