/** The job of an optimization, of one instrument, a portfolio, or a rotation; and of a small sweep. */
import { searchBacktest } from '../backtest/search.ts';
import { optimizeSpecSchema, portfolioSearchSchema, rotationSearchSchema } from '../contracts/optimize.ts';
import { smallSweepSchema } from '../contracts/sweep.ts';
import { searchPortfolio } from '../portfolio/search.ts';
import { searchRotation } from '../rotation/search.ts';
import type { RunContext } from '../runs/frame.ts';
import { runSearch, type SearchContext } from '../runs/search.ts';
import { computeSweep } from '../sweep/small-sweep.ts';

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
