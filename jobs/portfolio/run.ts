/** The job of a portfolio. */
import { runPrepared } from '../../engine/portfolio/backtest.ts';
import { ledgers } from '../backtest/run.ts';
import { runKept } from '../backtest/run-kept.ts';
import type { JobContext } from '../job-context.ts';
import { portfolioSpecSchema } from './contract.ts';
import { noBarsInPortfolio, prepareSpec } from './prepare.ts';
import { resultOf } from './report.ts';

export function runPortfolioJob(context: JobContext, { runId }: { readonly runId: string }): Promise<void> {
  return runKept(context, runId, {
    kind: 'portfolio',
    readSpec: (spec) => portfolioSpecSchema.parse(spec),
    compute: async ({ pool }, spec, version) => {
      const ledger = await ledgers.get(pool, version);
      const prepared = await prepareSpec(pool, spec);
      if (!prepared) return { failure: noBarsInPortfolio(spec) };
      const run = runPrepared(prepared, spec, spec.params);
      return { result: resultOf(spec, prepared, run, ledger) };
    },
  });
}
