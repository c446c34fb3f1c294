/** Makes the tear sheet of a portfolio. */
import type { PreparedPortfolio } from '../../engine/portfolio/backtest.ts';
import type { PortfolioRun } from '../../engine/portfolio/portfolio.ts';
import { partOfPortfolio } from '../../engine/tear-sheet/inputs.ts';
import { seedOf, specDigest } from '../backtest/receipt.ts';
import { type MadeSheet, type ReadComparison, sheetOf } from '../backtest/tear-sheet.ts';
import type { PortfolioSpec } from '../contracts/portfolio.ts';
import { portfolioForm } from './evidence.ts';

export function portfolioSheet(
  spec: PortfolioSpec,
  prepared: PreparedPortfolio,
  run: PortfolioRun,
  comparison: ReadComparison,
): MadeSheet {
  const part = partOfPortfolio(prepared, run, prepared.market, spec.execution);
  return sheetOf(part, prepared.benchmark, spec, comparison, seedOf(specDigest(portfolioForm(spec))));
}
