/** The job of an optimization, of one instrument or of a portfolio. */
import { optimizeSpecSchema, portfolioSearchSchema } from '../contracts/optimize.ts';
import type { RunContext } from '../run-frame.ts';
import { runSearch, type SearchContext } from './search.ts';
import { searchBacktest } from './search-instrument.ts';
import { searchPortfolio } from './search-portfolio.ts';

export function runOptimizeJob(
  context: RunContext & SearchContext,
  { runId }: { readonly runId: string },
): Promise<void> {
  return runSearch(context, runId, (run) => {
    const searchRun = { runId, dataVersion: run.dataVersion };
    const spec: unknown = JSON.parse(run.spec);
    const portfolio = portfolioSearchSchema.safeParse(spec);
    return portfolio.success
      ? searchPortfolio(context, searchRun, portfolio.data)
      : searchBacktest(context, searchRun, optimizeSpecSchema.parse(spec));
  });
}
