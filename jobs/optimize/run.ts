/** The job of an optimization, of one instrument or of a portfolio. */

import { runSearch } from '../backtest/search.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { optimizeSpecSchema, portfolioSearchSchema } from '../contracts/optimize.ts';
import { searchBacktest } from './search-instrument.ts';
import { searchPortfolio } from './search-portfolio.ts';

export function runOptimizeJob(context: JobContext, { runId }: { readonly runId: string }): Promise<void> {
  return runSearch(context, runId, (run) => {
    const given = { runId, dataVersion: run.dataVersion };
    const spec: unknown = JSON.parse(run.spec);
    const portfolio = portfolioSearchSchema.safeParse(spec);
    return portfolio.success
      ? searchPortfolio(context, given, portfolio.data)
      : searchBacktest(context, given, optimizeSpecSchema.parse(spec));
  });
}
